import Table from 'cli-table3';
import { createLogUpdate } from 'log-update';
import { type Backlog } from './stored-state.js';

/** What one moment of a drill looks like. */
export interface Moment {
  readonly seconds: number;
  /** Messages that were acknowledged so far. */
  readonly acknowledged: number;
  readonly retries: number;
  /** Unknown while PostgreSQL is down. */
  readonly backlog: Backlog | undefined;
  readonly modelCalls: number;
  /** Processes that are ready, and those that there should be. */
  readonly ready: string;
}

const HEAD = [
  's',
  'acknowledged',
  'per s',
  'sent again',
  'no vector yet',
  'to ingest',
  'ingested',
  'per s',
  'model calls per s',
  'ready',
];
/** Moments that are shown at once. */
const ROWS = 12;
const EVENTS = 6;

/** The cells of a moment, beside the one before. */
export function cellsOf(now: Moment, before: Moment | undefined): string[] {
  const elapsed = now.seconds - (before?.seconds ?? 0);
  const perSecond = (value: number | undefined, was: number | undefined): string =>
    value === undefined || was === undefined || elapsed <= 0 ? '-' : ((value - was) / elapsed).toFixed(0);
  const { backlog } = now;
  const earlier = before ?? { acknowledged: 0, modelCalls: 0, backlog: { ingested: 0 } };
  return [
    now.seconds.toFixed(0),
    String(now.acknowledged),
    perSecond(now.acknowledged, earlier.acknowledged),
    String(now.retries),
    String(backlog?.unindexed ?? '-'),
    String(backlog?.waiting ?? '-'),
    String(backlog?.ingested ?? '-'),
    perSecond(backlog?.ingested, earlier.backlog?.ingested),
    perSecond(now.modelCalls, earlier.modelCalls),
    now.ready,
  ];
}

/** Redrawn in place on a terminal; otherwise a line for each moment and event, for logs. */
export class LiveTable {
  private readonly rows: string[][] = [];
  private readonly events: string[] = [];
  private last: Moment | undefined;
  private readonly redraw;

  constructor(private readonly out: NodeJS.WriteStream) {
    this.redraw = out.isTTY ? createLogUpdate(out) : undefined;
    if (!out.isTTY) out.write(`${HEAD.join(' | ')}\n`);
  }

  show(moment: Moment): void {
    const cells = cellsOf(moment, this.last);
    this.last = moment;
    this.rows.push(cells);
    if (this.redraw) this.draw();
    else this.out.write(`${cells.join(' | ')}\n`);
  }

  event(text: string): void {
    this.events.push(text);
    if (this.redraw) this.draw();
    else this.out.write(`-- ${text}\n`);
  }

  /** What is shown stays. */
  end(): void {
    this.redraw?.done();
  }

  private draw(): void {
    const table = new Table({ head: HEAD, colAligns: HEAD.map(() => 'right') });
    table.push(...this.rows.slice(-ROWS));
    this.redraw?.([table.toString(), ...this.events.slice(-EVENTS)].join('\n'));
  }
}
