import { type Measurement } from './load.js';

export interface Row extends Measurement {
  readonly clients: number;
  readonly name: string;
  /** Throughput as a share of each baseline's at the same number of clients, by the baseline's name. */
  readonly ratios: Readonly<Record<string, number>>;
}

/** A table for people, in Markdown. */
export function table(rows: readonly Row[]): string {
  const baselines = Object.keys(rows[0]?.ratios ?? {});
  const header = [
    'clients',
    'what',
    'per second',
    'p50 ms',
    'p99 ms',
    ...baselines.map((name) => `÷ ${name}`),
  ];
  const lines = rows.map(({ clients, name, requestsPerSecond, p50Ms, p99Ms, ratios }) => [
    String(clients),
    name,
    requestsPerSecond.toFixed(0),
    p50Ms.toFixed(1),
    p99Ms.toFixed(1),
    ...baselines.map((baseline) => (ratios[baseline] ?? Number.NaN).toFixed(2)),
  ]);
  const render = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [render(header), render(header.map(() => '---')), ...lines.map(render)].join('\n');
}
