import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { KEPT_MINUTES, processReported, reportsAsked } from '@loci/contracts';
import { type Metrics, VERSION } from '@loci/platform';
import { type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type Signals } from '../events/signals.js';

/** So often a process says that it runs. */
export const REPORT_MS = 5_000;

/** The minute that runs, and the one before, whose last figures may not have been told. */
const LAST_MINUTES = 2;

/** Tells the gateways that this process runs, and what it did in the last minutes. */
export class ProcessReporter implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly self;
  private timer: NodeJS.Timeout | undefined;
  /** However many gateways ask, all minutes are told once, when it is time to tell something. */
  private isAsked = false;

  constructor(
    private readonly signals: Signals,
    private readonly metrics: Metrics,
  ) {
    const startedAt = Date.now();
    this.self = { id: randomUUID(), service: metrics.service, host: hostname(), version: VERSION, startedAt };
  }

  onApplicationBootstrap(): void {
    this.signals.hear(reportsAsked, () => void (this.isAsked = true));
    this.tell();
    this.timer = setInterval(() => this.tell(), REPORT_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
    this.tell(true);
  }

  private tell(isEnding = false): void {
    const minutes = this.metrics.minutes.figures(this.isAsked ? KEPT_MINUTES : LAST_MINUTES);
    this.isAsked = false;
    this.signals.tell(processReported, { ...this.self, isEnding, minutes });
  }
}
