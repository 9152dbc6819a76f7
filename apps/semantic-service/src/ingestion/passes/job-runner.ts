import { AttemptNotes, type Outbox, ROWS_OF_ALL, type UnitOfWork } from '@loci/persistence';
import {
  annotate,
  currentTraceparent,
  inSharedSpan,
  Isolation,
  type Logger,
  MAX_UNFINISHED,
  SpanKind,
} from '@loci/platform';
import { type MessagesRepository } from '../extraction/messages.repository.js';
import { type SetIngester } from './set-ingester.js';
import { type UnfinishedPasses } from './unfinished-passes.js';
import { type IngestionSwitch } from '../settings/ingestion-switch.js';
import { type TriggersSource } from '../settings/triggers-source.js';
import { enqueueSets } from '../jobs/enqueue-sets.js';
import { type Claim, type NewClaim, type PassReport } from '../jobs/job.js';
import { type ClaimOptions, type JobsRepository } from '../jobs/jobs.repository.js';

export interface TurnLimits {
  /** How long a set belongs to a worker that does not renew its lease. */
  readonly leaseMs: number;
  /** How long passes over a set follow one another under one claim, while nothing else is due. */
  readonly goOnMs: number;
}

/**
 * Works on one due set: claims it, keeps the claim alive, lets go of it. A set over which a pass ended with its process
 * is worked on with no other beside it, and what ended it three times in a row is set aside.
 */
export class JobRunner {
  private readonly isolation = new Isolation();
  private readonly notes: AttemptNotes<NewClaim>;

  constructor(
    private readonly jobs: JobsRepository,
    private readonly ingester: Pick<SetIngester, 'ingest'>,
    private readonly unfinished: Pick<UnfinishedPasses, 'setAside'>,
    private readonly messages: Pick<MessagesRepository, 'settle'>,
    private readonly triggers: TriggersSource,
    private readonly ingestion: Pick<IngestionSwitch, 'isOn'>,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly logger: Logger,
    private readonly limits: TurnLimits,
  ) {
    this.notes = new AttemptNotes(jobs, logger);
  }

  /** Sets that are claimed, and not given up. */
  get underWay(): readonly string[] {
    return this.notes.current.map(({ setUid }) => setUid);
  }

  /** @returns false when nothing is due, or ingestion is switched off */
  async runNext(): Promise<boolean> {
    const claim = await this.claim();
    if (claim) await this.work(claim);
    return claim !== undefined;
  }

  /**
   * Waits while a set is worked on alone.
   * @returns undefined when nothing is due but what is left out, ingestion is switched off, or the process stops
   */
  async claim(options?: ClaimOptions): Promise<NewClaim | undefined> {
    await this.isolation.open();
    if (!this.ingestion.isOn || this.notes.isStopping) return undefined;
    await this.notes.takeBack();
    const claim = await this.jobs.claim(this.limits.leaseMs, options);
    if (claim) await this.notes.claimed(claim);
    return claim;
  }

  /** Never fails: what is not done is done by the worker that claims the set next. */
  async work(claim: NewClaim): Promise<void> {
    const lost = new AbortController();
    const renewing = setInterval(() => void this.renew(claim, lost), this.limits.leaseMs / 3);
    const pass = (): Promise<void> => this.pass(claim, lost.signal);
    const begunAt = performance.now();
    try {
      await (claim.unfinished > 0 ? this.isolation.runAlone(pass) : this.isolation.runBeside(pass));
    } finally {
      clearInterval(renewing);
      await this.charge(claim, (performance.now() - begunAt) / 1000);
    }
  }

  /** A charge that is lost gives the organization a turn too many. */
  private async charge(claim: NewClaim, seconds: number): Promise<void> {
    try {
      await this.jobs.charge(claim, seconds);
    } catch (error) {
      this.logger.warn('the time of a pass could not be charged', { set_uid: claim.setUid, error });
    }
  }

  /** Passes that are under way when the process is told to stop do not count as unfinished, and no other one begins. */
  stop(): Promise<void> {
    return this.notes.stop();
  }

  private async pass(claim: NewClaim, signal: AbortSignal): Promise<void> {
    try {
      await this.release(claim, await this.report(claim, signal));
      this.notes.ended(claim);
    } catch (error) {
      // the lease runs out, and another worker takes the set over: whatever was not committed never happened
      this.logger.warn('work on a set was given up', {
        set_uid: claim.setUid,
        attempt: claim.attempt,
        error,
      });
      await this.notes.gaveUp(claim);
    }
  }

  private async report(claim: NewClaim, signal: AbortSignal): Promise<PassReport> {
    const { setUid, unfinished } = claim;
    if (unfinished >= MAX_UNFINISHED) return this.unfinished.setAside(claim);
    if (unfinished > 0) {
      this.logger.warn('a pass over a set ended with its process', { set_uid: setUid, unfinished });
      if (this.notes.isStopping) throw new Error('The process stops; the set is left to another one.');
      await this.jobs.begin(claim);
    }
    return this.traced(claim, () => this.passes(claim, signal));
  }

  /** What is written does not depend on how many passes a claim has: each batch is fenced and committed by itself. */
  private async passes(claim: NewClaim, signal: AbortSignal): Promise<PassReport> {
    const begunAt = performance.now();
    let report = await this.ingester.ingest(claim, signal);
    while (isMore(report) && (await this.mayGoOn(claim, begunAt))) {
      report = await this.ingester.ingest({ ...claim, isPutOff: false }, signal);
    }
    return report;
  }

  /** What ended with its process before is let go of after each pass, and so is everything when something else is due. */
  private async mayGoOn({ unfinished }: NewClaim, begunAt: number): Promise<boolean> {
    if (unfinished > 0 || performance.now() - begunAt >= this.limits.goOnMs) return false;
    if (!this.ingestion.isOn || this.notes.isStopping) return false;
    return !(await this.jobs.isAnyDue());
  }

  /**
   * The work was announced by other messages than the one that woke this process: it belongs to their traces, and links
   * to the receipt of the message.
   */
  private traced({ attempt, causes }: NewClaim, work: () => Promise<PassReport>): Promise<PassReport> {
    const wokenBy = currentTraceparent();
    const description = {
      kind: SpanKind.CONSUMER,
      attributes: { 'loci.ingestion.attempt': Number(attempt) },
      links: wokenBy === undefined ? [] : [wokenBy],
    };
    return inSharedSpan('ingest set', description, causes, async () => {
      const report = await work();
      annotate({ 'loci.ingestion.end': report.end.kind });
      return report;
    });
  }

  private async release(
    claim: Claim,
    { end, categories, isToConsolidate = false }: PassReport,
  ): Promise<void> {
    const isDue = await this.unitOfWork.run(
      async (tx) => {
        if (categories) {
          await this.jobs.fence(claim, tx);
          await this.messages.settle(claim, categories, tx);
        }
        const triggers = this.triggers.current();
        const putOff = isToConsolidate ? triggers.messages : 0;
        const due = await this.jobs.release(claim, end, { messages: triggers.messages, putOff }, tx);
        if (due) await enqueueSets(this.outbox, [claim.setUid], tx);
        return due;
      },
      { scope: ROWS_OF_ALL },
    );
    if (isDue) this.outbox.wake();
  }

  /** A database that does not answer is not a lost claim: the fence decides. */
  private async renew(claim: Claim, lost: AbortController): Promise<void> {
    try {
      if (!(await this.jobs.renew(claim, this.limits.leaseMs))) lost.abort(new Error('the lease was lost'));
    } catch (error) {
      this.logger.warn('a lease could not be renewed', { set_uid: claim.setUid, error });
    }
  }
}

const isMore = ({ end, isToConsolidate = false }: PassReport): boolean =>
  end.kind === 'more' && !isToConsolidate;
