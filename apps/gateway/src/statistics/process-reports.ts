import {
  KEPT_MINUTES,
  type MinuteFigures,
  type ProcessReport,
  processReported,
  ReportRequest,
  reportsAsked,
} from '@loci/contracts';
import { EventListener, REPORT_MS, Signals } from '@loci/messaging';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { bytesOf, figuresOf, keptOf, type KeptFigures } from './kept-figures.js';

const MINUTE_MS = 60_000;

/** One that misses three reports is silent. */
const SILENT_AFTER_MS = 3 * REPORT_MS;

/** A silent process is listed so long: it was ended without a word, or it is cut off. */
const LISTED_SILENT_MS = 10 * MINUTE_MS;

/** Bound memory, far above what a deployment runs: any service may report any number of processes. */
const MAX_PROCESSES = 5_000;
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

type Reported = Omit<ProcessReport, 'minutes'>;

interface Heard {
  readonly report: Reported;
  readonly heardAt: number;
  readonly minutes: ReadonlyMap<number, KeptFigures>;
  readonly bytes: number;
}

/** A process as it was last heard. */
export interface KnownProcess {
  readonly report: Reported;
  /** Milliseconds since 1970, by the clock of this gateway. */
  readonly heardAt: number;
  readonly isSilent: boolean;
}

/** What all processes say of themselves. Each gateway hears all of them, so that each can tell the same. */
@Injectable()
export class ProcessReports implements OnApplicationBootstrap {
  private readonly heard = new Map<string, Heard>();
  private keptBytes = 0;

  constructor(
    private readonly events: EventListener,
    private readonly signals: Signals,
  ) {}

  onApplicationBootstrap(): void {
    const ask = (): void => this.signals.tell(reportsAsked, new ReportRequest());
    this.events.hear(processReported, { onEvent: (report) => this.take(report), onGap: ask });
    ask();
  }

  take({ minutes: told, ...report }: ProcessReport, heardAt = Date.now()): void {
    const now = Math.floor(heardAt / MINUTE_MS);
    // clocks of machines need not agree to the second
    const isKept = (minute: number): boolean => minute > now - KEPT_MINUTES && minute <= now + 1;
    const minutes = new Map([
      ...(this.heard.get(report.id)?.minutes ?? []),
      ...told.map((figures) => [figures.minute, keptOf(figures)] as const),
    ]);
    for (const minute of minutes.keys()) if (!isKept(minute)) minutes.delete(minute);
    const bytes = [...minutes.values()].reduce((sum, kept) => sum + bytesOf(kept), 0);
    // the one that was heard last comes last
    this.drop(report.id);
    this.heard.set(report.id, { report, heardAt, minutes, bytes });
    this.keptBytes += bytes;
    this.forget(heardAt);
  }

  /** Those that run, and those that fell silent a short while ago; by service, the eldest first. */
  processes(now = Date.now()): KnownProcess[] {
    return [...this.heard.values()]
      .filter(({ report, heardAt }) => !report.isEnding && now - heardAt <= LISTED_SILENT_MS)
      .map(({ report, heardAt }) => ({ report, heardAt, isSilent: now - heardAt > SILENT_AFTER_MS }))
      .sort(
        ({ report: one }, { report: other }) =>
          one.service.localeCompare(other.service) || one.startedAt - other.startedAt,
      );
  }

  /** The figures of a minute, of each process that has some. */
  figuresOf(minute: number): MinuteFigures[] {
    return [...this.heard.values()].flatMap(({ minutes }) => {
      const kept = minutes.get(minute);
      return kept ? [figuresOf(minute, kept)] : [];
    });
  }

  /** What is not heard for an hour has no minutes left that could be asked for. */
  private forget(now: number): void {
    for (const [id, { heardAt }] of this.heard) {
      const isFull = this.heard.size > MAX_PROCESSES || this.keptBytes > MAX_KEPT_BYTES;
      if (now - heardAt <= KEPT_MINUTES * MINUTE_MS && !isFull) return;
      this.drop(id);
    }
  }

  private drop(id: string): void {
    this.keptBytes -= this.heard.get(id)?.bytes ?? 0;
    this.heard.delete(id);
  }
}
