import { type Logger } from '@loci/platform';
import { type NewClaim } from '../jobs/job.js';
import { type JobsRepository } from '../jobs/jobs.repository.js';

/**
 * Keeps the durable notes of passes that have begun true: a pass that this process knows to have ended is not found
 * unfinished. The claim of a set notes the first pass itself, and the release deletes the note.
 */
export class PassNotes {
  private readonly underWay = new Set<NewClaim>();
  /** Passes that were given up, whose notes the database has not taken back yet. */
  private readonly givenUp = new Set<NewClaim>();
  private isStopped = false;

  constructor(
    private readonly jobs: Pick<JobsRepository, 'begin' | 'takeBack'>,
    private readonly logger: Logger,
  ) {}

  /** Whether this process was told to stop: no pass begins any more. */
  get isStopping(): boolean {
    return this.isStopped;
  }

  async claimed(claim: NewClaim): Promise<void> {
    this.underWay.add(claim);
    if (this.isStopped) await this.jobs.takeBack(claim);
  }

  /** Notes that another pass begins over a set that has unfinished ones. @throws AppError `lease_lost` */
  async begin(claim: NewClaim): Promise<void> {
    if (this.isStopped) throw new Error('The process stops; the set is left to another one.');
    await this.jobs.begin(claim);
  }

  ended(claim: NewClaim): void {
    this.underWay.delete(claim);
  }

  /** The pass ended, but not its claim: another worker takes the set over when the lease has run out. */
  async gaveUp(claim: NewClaim): Promise<void> {
    this.underWay.delete(claim);
    this.givenUp.add(claim);
    await this.takeBack().catch((error: unknown) => {
      this.logger.warn('the note of a pass is taken back later', { set_uid: claim.setUid, error });
    });
  }

  /** Takes back the notes of all passes that were given up. */
  async takeBack(): Promise<void> {
    for (const claim of this.givenUp) {
      await this.jobs.takeBack(claim);
      this.givenUp.delete(claim);
    }
  }

  /** What is under way may be ended by the grace period: that is no fault of its messages. */
  async stop(): Promise<void> {
    this.isStopped = true;
    const all = [...this.underWay, ...this.givenUp];
    await Promise.all(all.map((claim) => this.jobs.takeBack(claim)));
  }
}
