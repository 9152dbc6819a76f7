import { ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { Logger, MAX_UNFINISHED } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { type NewClaim, type PassReport } from '../jobs/job.js';
import { JobsRepository } from '../jobs/jobs.repository.js';
import { IngestionSets } from '../extraction/ingestion-sets.js';
import { MessagesRepository } from '../extraction/messages.repository.js';
import { MAX_BATCH } from '../jobs/retry-plan.js';
import { UnfinishedMessages } from '../extraction/unfinished-messages.js';

const PAUSE_MS = 5 * 60_000;

const code = 'process_ended';
const reason =
  'The process that ingested these messages ended in the middle of it, ' +
  `${MAX_UNFINISHED} times in a row, so they are not ingested again by themselves; ` +
  'the log of semantic-worker says why. Mend the cause and replay, or delete the dead letter.';

/** Sets aside what ended its process again and again. */
@Injectable()
export class UnfinishedPasses {
  constructor(
    private readonly sets: IngestionSets,
    private readonly messages: MessagesRepository,
    private readonly unfinished: UnfinishedMessages,
    private readonly jobs: JobsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly logger: Logger,
  ) {}

  /**
   * Sends to the dead letters what a pass over the set would work on now, which is what the unfinished ones worked on.
   * The set goes on with its other messages.
   * @throws AppError `lease_lost`
   */
  async setAside(claim: NewClaim): Promise<PassReport> {
    const { setUid, unfinished: failures } = claim;
    const categories = (await this.sets.describe(setUid)).categories.map(({ name }) => name);
    const batches = await this.batches(setUid, categories);
    await this.unitOfWork.run(
      async (tx) => {
        await this.jobs.fence(claim, tx);
        for (const [category, episodeUids] of batches) {
          await this.messages.deadLetter(claim, { category, code, reason, failures }, episodeUids, tx);
        }
      },
      { scope: ROWS_OF_ALL },
    );
    this.logger.error('messages of a set ended their process and were set aside', {
      set_uid: setUid,
      categories: [...batches.keys()],
    });
    const isAnySetAside = batches.size > 0;
    return {
      end: isAnySetAside ? { kind: 'more' } : { kind: 'retrying', afterMs: PAUSE_MS, code, reason },
      categories,
    };
  }

  /** By category. A category that pauses had no part in the passes. */
  private async batches(
    setUid: string,
    categories: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const failures = await this.messages.failures(setUid);
    const suspects = await this.unfinished.suspects(setUid);
    const batches = new Map<string, readonly string[]>();
    for (const name of categories) {
      if (failures.some(({ category, retryInMs }) => category === name && retryInMs > 0)) continue;
      const isOpen = (suspects.find(({ category }) => category === name)?.messages ?? 0) < MAX_BATCH;
      const fresh = isOpen ? await this.messages.next(setUid, name, MAX_BATCH) : [];
      const suspected = (await this.unfinished.next(setUid, name))?.messages ?? [];
      const episodeUids = [...fresh, ...suspected].map(({ episodeUid }) => episodeUid);
      if (episodeUids.length > 0) batches.set(name, episodeUids);
    }
    return batches;
  }
}
