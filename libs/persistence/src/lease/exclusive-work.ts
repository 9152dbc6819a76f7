import { type Logger } from '@loci/platform';
import { LeasedWork } from './leased-work.js';
import { type WorkClaim, type WorkLeases } from './work-leases.js';

/** What became of a piece of work: another worker is at it, or this process stops, when it is `busy`. */
export type WorkOutcome = 'done' | 'busy' | 'set-aside';

/** Work of one kind that one worker does at a time for each key, and that is repeated from its beginning. */
export class ExclusiveWork {
  private readonly work: LeasedWork<WorkClaim>;

  constructor(
    private readonly kind: string,
    private readonly leases: WorkLeases,
    leaseMs: number,
    private readonly logger: Logger,
  ) {
    this.work = new LeasedWork(leases, leaseMs, logger);
  }

  /**
   * Does the work, unless another worker is at it or it was set aside.
   * @param work its signal is aborted when the lease is lost
   * @throws whatever the work throws: then it ended in an orderly way, too
   */
  async run(key: string, work: (signal: AbortSignal) => Promise<void>): Promise<WorkOutcome> {
    const isDone = await this.work.next(
      (leaseMs) => this.leases.claim(this.kind, key, leaseMs),
      async (claimed, signal) => {
        try {
          await work(signal);
        } finally {
          await this.leases.end(claimed);
        }
        return true;
      },
    );
    if (isDone) return 'done';
    if (!(await this.leases.isSetAside(this.kind, key))) return 'busy';
    this.logger.error('work that ended its process again and again is set aside', { kind: this.kind, key });
    return 'set-aside';
  }

  /** What is under way does not count as unfinished, and no other work begins. */
  stop(): Promise<void> {
    return this.work.stop();
  }
}
