import { type Logger } from '../logging/logger.js';
import { inBackground } from '../tracing/background.js';

/** How many times longer than its interval the pause of a task becomes that finds nothing to do. */
export const SLOWEST = 6;

export interface PeriodicTaskOptions {
  /** As it appears in the log. */
  readonly name: string;
  /** Pause between the end of one run and the start of the next. */
  readonly intervalMs: number;
  /**
   * @param signal aborted when the task is told to stop: long work looks at it between steps
   * @returns `false` when it found nothing, and nothing that it knows of will be due soon: the pause doubles, up to
   * `SLOWEST` times the interval, until a run finds something, fails, or the task is woken
   */
  readonly work: (signal: AbortSignal) => Promise<unknown>;
  readonly logger: Logger;
}

/** Runs work again and again, never twice at once. A failure is logged and tried again at the next turn. */
export class PeriodicTask {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isWoken = false;
  private pauseMs: number;
  private endedAtMs = 0;
  private awakeUntilMs = 0;
  private readonly stopping = new AbortController();

  constructor(private readonly options: PeriodicTaskOptions) {
    this.pauseMs = options.intervalMs;
  }

  /** The first run begins at once. */
  start(): void {
    // what wakes it is often a request, which the runs from then on would belong to
    this.running = inBackground(() => this.run());
  }

  /**
   * There may be something to do: the next run begins as soon as the interval allows, at once when the task had slowed down.
   * However often it is called, the task does not run more often than its interval says.
   */
  wake(): void {
    this.isWoken = true;
    this.pauseMs = this.options.intervalMs;
    if (this.timer) this.schedule();
  }

  /** Something will be due within this time: until then the task does not slow down. */
  stayAwake(forMs: number): void {
    this.awakeUntilMs = Math.max(this.awakeUntilMs, performance.now() + forMs);
    this.wake();
  }

  /** No further run begins; resolves when the current one has ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.running;
  }

  private async run(): Promise<void> {
    const { name, intervalMs, work, logger } = this.options;
    this.timer = undefined;
    this.isWoken = false;
    let isIdle = false;
    try {
      isIdle = (await work(this.stopping.signal)) === false;
    } catch (error) {
      logger.warn(`${name} failed; trying again in ${intervalMs} ms`, { error });
    }
    if (this.stopping.signal.aborted) return;
    this.endedAtMs = performance.now();
    const slowerMs = Math.min(this.pauseMs * 2, intervalMs * SLOWEST);
    this.pauseMs = isIdle && !this.isAwake() ? slowerMs : intervalMs;
    this.schedule();
  }

  private isAwake(): boolean {
    return this.isWoken || this.endedAtMs < this.awakeUntilMs;
  }

  private schedule(): void {
    clearTimeout(this.timer);
    const waitMs = Math.max(0, this.endedAtMs + this.pauseMs - performance.now());
    this.timer = setTimeout(() => this.start(), waitMs);
  }
}
