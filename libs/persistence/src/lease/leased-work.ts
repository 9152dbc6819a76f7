import { type Logger } from '@loci/platform';
import { AttemptNotes } from './attempt-notes.js';
import { type LeaseClaim, type LeaseStore } from './lease-claim.js';

/** What has been claimed and begun. */
export interface Begun<Claim, Result> {
  readonly claim: Claim;
  /** What the work gives; rejects with what it throws, and then its attempt is not counted. */
  readonly ended: Promise<Result>;
}

/**
 * Work of one kind in this process. One piece at a time (`next`): what ends the process is then the only one of its kind that
 * is found unfinished. Or several (`begin`): then the caller sees to it that what was unfinished before has no other such beside it.
 */
export class LeasedWork<Claim extends LeaseClaim> {
  private readonly notes: AttemptNotes<Claim>;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly store: LeaseStore<Claim>,
    /** How long a piece of work belongs to a worker that does not renew its lease. */
    private readonly leaseMs: number,
    private readonly logger: Logger,
  ) {
    this.notes = new AttemptNotes(store, logger);
  }

  /**
   * Claims a piece of work and does it, renewing its lease meanwhile. What the work throws is thrown, and its attempt is
   * not counted.
   * @param work stores itself how it ended; its signal is aborted when the claim is lost
   * @returns undefined when there was nothing to claim, or the process stops
   */
  next<Result>(
    claim: (leaseMs: number) => Promise<Claim | undefined>,
    work: (claim: Claim, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result | undefined> {
    const turn = this.last.then(async () => (await this.begin(claim, work))?.ended);
    this.last = turn.catch(() => undefined);
    return turn;
  }

  /**
   * As `next`, but beside what is under way.
   * @returns undefined when there was nothing to claim, or the process stops; the caller that gets a piece of work sees to how it ends
   */
  async begin<Result>(
    claim: (leaseMs: number) => Promise<Claim | undefined>,
    work: (claim: Claim, signal: AbortSignal) => Promise<Result>,
  ): Promise<Begun<Claim, Result> | undefined> {
    if (this.notes.isStopping) return undefined;
    await this.notes.takeBack();
    const claimed = await claim(this.leaseMs);
    return claimed && { claim: claimed, ended: this.carryOut(claimed, work) };
  }

  /** Work that is under way is not counted as unfinished from now on, and no other begins. */
  async stop(): Promise<void> {
    try {
      await this.notes.stop();
    } catch (error) {
      this.logger.warn('work that is under way counts as unfinished', { error });
    }
  }

  private async carryOut<Result>(
    claimed: Claim,
    work: (claim: Claim, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const lost = new AbortController();
    const renewing = setInterval(() => void this.renew(claimed, lost), this.leaseMs / 3);
    try {
      await this.notes.claimed(claimed);
      const { key, unfinished } = claimed;
      if (unfinished > 0) this.logger.warn('an attempt ended with its process', { key, unfinished });
      const result = await work(claimed, lost.signal);
      this.notes.ended(claimed);
      return result;
    } catch (error) {
      await this.notes.gaveUp(claimed);
      throw error;
    } finally {
      clearInterval(renewing);
    }
  }

  /** A database that does not answer is not a lost claim: the fence decides. */
  private async renew(claim: Claim, lost: AbortController): Promise<void> {
    try {
      if (!(await this.store.renew(claim, this.leaseMs))) lost.abort(new Error('the lease was lost'));
    } catch (error) {
      this.logger.warn('a lease could not be renewed', { error });
    }
  }
}
