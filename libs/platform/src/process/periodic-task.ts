import { type Logger } from '../logging/logger.js';

export interface PeriodicTaskOptions {
  /** As it appears in the log. */
  readonly name: string;
  /** Pause between the end of one run and the start of the next. */
  readonly intervalMs: number;
  /** @param signal aborted when the task is told to stop: long work looks at it between steps */
  readonly work: (signal: AbortSignal) => Promise<unknown>;
  readonly logger: Logger;
}

/** Runs work again and again, never twice at once. A failure is logged and tried again at the next turn. */
export class PeriodicTask {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private readonly stopping = new AbortController();

  constructor(private readonly options: PeriodicTaskOptions) {}

  /** The first run begins at once. */
  start(): void {
    this.running = this.run();
  }

  /** No further run begins; resolves when the current one has ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.running;
  }

  private async run(): Promise<void> {
    const { name, intervalMs, work, logger } = this.options;
    try {
      await work(this.stopping.signal);
    } catch (error) {
      logger.warn(`${name} failed; trying again in ${intervalMs} ms`, { error });
    }
    if (this.stopping.signal.aborted) return;
    this.timer = setTimeout(() => this.start(), intervalMs);
  }
}
