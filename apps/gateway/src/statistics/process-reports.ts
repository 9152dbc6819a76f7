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

const MINUTE_MS = 60_000;

/** One that misses three reports is silent. */
const SILENT_AFTER_MS = 3 * REPORT_MS;

/** A silent process is listed so long: it was ended without a word, or it is cut off. */
const LISTED_SILENT_MS = 10 * MINUTE_MS;

/** Bounds memory, far above what a deployment runs. */
const MAX_PROCESSES = 5_000;

interface Heard {
  readonly report: ProcessReport;
  readonly heardAt: number;
  readonly minutes: Map<number, MinuteFigures>;
}

/** A process as it was last heard. */
export interface KnownProcess {
  readonly report: ProcessReport;
  /** Milliseconds since 1970, by the clock of this gateway. */
  readonly heardAt: number;
  readonly isSilent: boolean;
}

/** What all processes say of themselves. Each gateway hears all of them, so that each can tell the same. */
@Injectable()
export class ProcessReports implements OnApplicationBootstrap {
  private readonly heard = new Map<string, Heard>();

  constructor(
    private readonly events: EventListener,
    private readonly signals: Signals,
  ) {}

  onApplicationBootstrap(): void {
    const ask = (): void => this.signals.tell(reportsAsked, new ReportRequest());
    this.events.hear(processReported, { onEvent: (report) => this.take(report), onGap: ask });
    ask();
  }

  take(report: ProcessReport, heardAt = Date.now()): void {
    const known = this.heard.get(report.id);
    const minutes = known?.minutes ?? new Map<number, MinuteFigures>();
    const kept = Math.floor(heardAt / MINUTE_MS) - KEPT_MINUTES;
    for (const minute of minutes.keys()) if (minute <= kept) minutes.delete(minute);
    for (const figures of report.minutes) minutes.set(figures.minute, figures);
    // the one that was heard last comes last
    this.heard.delete(report.id);
    this.heard.set(report.id, { report, heardAt, minutes });
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
    return [...this.heard.values()].flatMap(({ minutes }) => minutes.get(minute) ?? []);
  }

  /** What is not heard for an hour has no minutes left that could be asked for. */
  private forget(now: number): void {
    for (const [id, { heardAt }] of this.heard) {
      if (now - heardAt <= KEPT_MINUTES * MINUTE_MS && this.heard.size <= MAX_PROCESSES) return;
      this.heard.delete(id);
    }
  }
}
