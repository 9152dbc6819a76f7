import { ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { Logger } from '@loci/platform';
import { Inject, Injectable } from '@nestjs/common';
import { SemanticServiceEnv } from '../../env.js';
import { BatchFailedError } from '../extraction/batch-reader.js';
import { MessagesRepository } from '../extraction/messages.repository.js';
import { UnfinishedMessages } from '../extraction/unfinished-messages.js';
import { type Claim, type PassEnd } from '../jobs/job.js';
import { JobsRepository } from '../jobs/jobs.repository.js';
import { type FailureVerdict, halvesOf, judgeFailure, maxFailures } from '../jobs/retry-plan.js';

/** Messages that a model made nothing of. */
interface FailedBatch {
  readonly episodeUids: readonly string[];
  readonly failures: number;
  readonly cause: unknown;
}

/** Writes what a pass could not do, and when it is tried again; each with the lease of the set. */
@Injectable()
export class PassFailures {
  constructor(
    private readonly messages: MessagesRepository,
    private readonly unfinished: UnfinishedMessages,
    private readonly jobs: JobsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly logger: Logger,
    @Inject(SemanticServiceEnv)
    private readonly env: Pick<SemanticServiceEnv, 'INGESTION_RETRY_PAUSE_MS'>,
  ) {}

  /** The halves are tried alone; a single message is given up after its tries. */
  async suspect(claim: Claim, category: string, failed: FailedBatch): Promise<void> {
    const { episodeUids, failures, cause } = failed;
    const isOne = episodeUids.length === 1;
    const { afterMs: retryInMs, code, reason } = this.judge(cause, isOne ? failures : 1);
    await this.unitOfWork.run(
      async (tx) => {
        await this.jobs.fence(claim, tx);
        if (isOne && failures >= maxFailures(code)) {
          await this.messages.deadLetter(claim, { category, code, reason, failures }, episodeUids, tx);
          return;
        }
        for (const half of halvesOf(episodeUids)) {
          const suspects = { episodeUids: half, failures, retryInMs, code, reason };
          await this.unfinished.suspect(claim.setUid, category, suspects, tx);
        }
      },
      { scope: ROWS_OF_ALL },
    );
  }

  /** An outage is waited out; after very many tries the batch goes to the dead letters, and the next one has a single try. */
  async putOff(claim: Claim, category: string, before: number, error: unknown): Promise<PassEnd> {
    const failed = error instanceof BatchFailedError ? error : undefined;
    const failures = before + 1;
    const verdict = this.judge(failed?.cause ?? error, failures);
    this.logger.warn('a category could not be ingested', { set_uid: claim.setUid, failures, error });
    if (verdict.kind === 'blocked') return verdict;
    const { afterMs: retryInMs, code, reason } = verdict;
    const isLast = failures >= maxFailures(code);
    await this.unitOfWork.run(
      async (tx) => {
        await this.jobs.fence(claim, tx);
        if (isLast && failed) {
          const { episodeUids } = failed;
          await this.messages.deadLetter(claim, { category, code, reason, failures }, episodeUids, tx);
        }
        const noted = { category, failures: isLast ? failures - 1 : failures, retryInMs, code, reason };
        await this.messages.noteFailure(claim.setUid, noted, tx);
      },
      { scope: ROWS_OF_ALL },
    );
    return { kind: 'retrying', afterMs: retryInMs, code, reason };
  }

  /** What an error means after so many failures. */
  judge(error: unknown, failures: number): FailureVerdict {
    return judgeFailure(error, { failures, firstPauseMs: this.env.INGESTION_RETRY_PAUSE_MS });
  }
}
