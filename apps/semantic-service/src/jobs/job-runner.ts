import { ingestSet } from '@loci/contracts';
import { type Outbox, ROWS_OF_ALL, type UnitOfWork } from '@loci/persistence';
import { annotate, currentTraceparent, inSharedSpan, type Logger, SpanKind } from '@loci/platform';
import { type MessagesRepository } from '../ingestion/messages.repository.js';
import { type SetIngester } from '../ingestion/set-ingester.js';
import { type IngestionSwitch } from '../intake/ingestion-switch.js';
import { type TriggersSource } from '../intake/triggers-source.js';
import { type Claim, type NewClaim, type PassReport } from './job.js';
import { type ClaimOptions, type JobsRepository } from './jobs.repository.js';

/** Works on one due set: claims it, keeps the claim alive, lets go of it. */
export class JobRunner {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly ingester: Pick<SetIngester, 'ingest'>,
    private readonly messages: Pick<MessagesRepository, 'settle'>,
    private readonly triggers: TriggersSource,
    private readonly ingestion: Pick<IngestionSwitch, 'isOn'>,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly logger: Logger,
    /** How long a set stays with a worker that gives no sign of life. */
    private readonly leaseMs: number,
  ) {}

  /** @returns false when nothing is due, or ingestion is switched off */
  async runNext(): Promise<boolean> {
    const claim = await this.claim();
    if (claim) await this.work(claim);
    return claim !== undefined;
  }

  /** @returns undefined when nothing is due but what is left out, or ingestion is switched off */
  claim(options?: ClaimOptions): Promise<NewClaim | undefined> {
    return this.ingestion.isOn ? this.jobs.claim(this.leaseMs, options) : Promise.resolve(undefined);
  }

  /** Never fails: what is not done is done by whoever claims the set next. */
  async work(claim: NewClaim): Promise<void> {
    const lost = new AbortController();
    const renewing = setInterval(() => void this.renew(claim, lost), this.leaseMs / 3);
    try {
      await this.release(claim, await this.traced(claim, () => this.ingester.ingest(claim, lost.signal)));
    } catch (error) {
      // the lease runs out, and somebody else takes the set over: whatever was not committed never happened
      this.logger.warn('work on a set was given up', {
        set_uid: claim.setUid,
        attempt: claim.attempt,
        error,
      });
    } finally {
      clearInterval(renewing);
    }
  }

  /**
   * What is worked on came with other messages than the order that woke us: it belongs to their traces, and links to
   * where the order was received.
   */
  private traced({ attempt, causes }: NewClaim, work: () => Promise<PassReport>): Promise<PassReport> {
    const order = currentTraceparent();
    const description = {
      kind: SpanKind.CONSUMER,
      attributes: { 'loci.ingestion.attempt': Number(attempt) },
      links: order === undefined ? [] : [order],
    };
    return inSharedSpan('ingest set', description, causes, async () => {
      const report = await work();
      annotate({ 'loci.ingestion.end': report.end.kind });
      return report;
    });
  }

  private async release(claim: Claim, { end, categories }: PassReport): Promise<void> {
    const isDue = await this.unitOfWork.run(
      async (tx) => {
        if (categories) {
          await this.jobs.fence(claim, tx);
          await this.messages.settle(claim, categories, tx);
        }
        const due = await this.jobs.release(claim, end, this.triggers.current(), tx);
        if (due) await this.outbox.append(tx, ingestSet, { setUid: claim.setUid });
        return due;
      },
      { scope: ROWS_OF_ALL },
    );
    if (isDue) this.outbox.wake();
  }

  /** A database that does not answer is not a lost claim: the fence decides. */
  private async renew(claim: Claim, lost: AbortController): Promise<void> {
    try {
      if (!(await this.jobs.renew(claim, this.leaseMs))) lost.abort(new Error('the lease was lost'));
    } catch (error) {
      this.logger.warn('a lease could not be renewed', { set_uid: claim.setUid, error });
    }
  }
}
