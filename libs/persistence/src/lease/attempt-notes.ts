import { type Logger } from '@loci/platform';

/**
 * Keeps the durable notes of attempts that have begun true: one that this process knows to have ended is not found
 * unfinished. A claim makes the note itself, and the statement that stores its end deletes it.
 */
export class AttemptNotes<Claim extends object> {
  private readonly underWay = new Set<Claim>();
  /** Attempts that were given up, whose notes the database has not taken back yet. */
  private readonly givenUp = new Set<Claim>();
  private isStopped = false;

  constructor(
    private readonly store: { takeBack(claim: Claim): Promise<void> },
    private readonly logger: Logger,
  ) {}

  /** Whether this process was told to stop: no attempt begins any more. */
  get isStopping(): boolean {
    return this.isStopped;
  }

  /** Attempts that have begun and not ended, as far as this process knows. */
  get current(): readonly Claim[] {
    return [...this.underWay];
  }

  async claimed(claim: Claim): Promise<void> {
    this.underWay.add(claim);
    if (this.isStopped) await this.store.takeBack(claim);
  }

  ended(claim: Claim): void {
    this.underWay.delete(claim);
  }

  /** The attempt ended, but not its claim: another worker takes the work over when the lease has run out. */
  async gaveUp(claim: Claim): Promise<void> {
    this.underWay.delete(claim);
    this.givenUp.add(claim);
    await this.takeBack().catch((error: unknown) => {
      this.logger.warn('the note of an attempt is taken back later', { error });
    });
  }

  /** Takes back the notes of all attempts that were given up. */
  async takeBack(): Promise<void> {
    for (const claim of this.givenUp) {
      await this.store.takeBack(claim);
      this.givenUp.delete(claim);
    }
  }

  /** What is under way may be ended by the grace period: that is no fault of the work. */
  async stop(): Promise<void> {
    this.isStopped = true;
    const all = [...this.underWay, ...this.givenUp];
    await Promise.all(all.map((claim) => this.store.takeBack(claim)));
  }
}
