import {
  exportEpisodes,
  notification,
  relearnProject,
  type RelearningReference,
  semanticNotificationsRaised,
} from '@loci/contracts';
import { RpcClient } from '@loci/messaging';
import { Outbox, ROWS_OF_ALL, type Transaction, UnitOfWork } from '@loci/persistence';
import { inParts } from '@loci/platform';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { FeatureWriter } from '../../features/feature-writer.js';
import { MAX_READ_BYTES } from '../../features/bounded-records.js';
import { FeaturesRepository } from '../../features/features.repository.js';
import { inHalves } from '../../features/in-halves.js';
import { fullScope } from '../../projects/project.js';
import { ProjectsRepository } from '../../projects/projects.repository.js';
import { EpisodeIntake } from '../intake/episode-intake.js';
import { FEATURES_TO_RELEARN } from './features-to-relearn.sql.js';
import {
  FIND_LATER_RELEARNING,
  LOCK_RELEARNING,
  SET_RELEARNING,
} from '../backlog/relearning-position.sql.js';

/** What one step takes away at most: each is a transaction of its own. */
const FEATURES_PER_STEP = 500;

/** Of them in memory with all that they cite, as far as they fit. */
const READ_AT_ONCE = 100;

/**
 * Learns the messages of a project again, so that its facts get subjects: takes away the features without one that only
 * models made, then puts the messages back into the backlog, page by page. Each step orders the next in its transaction,
 * and is harmless when repeated.
 */
@Injectable()
export class RelearningSteps {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly features: FeaturesRepository,
    private readonly writer: FeatureWriter,
    private readonly rpc: RpcClient,
    private readonly intake: EpisodeIntake,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
  ) {}

  /** The next step, in a transaction of its own. An order that a later one has replaced is left at once: others wait. */
  async step(reference: RelearningReference): Promise<void> {
    const order = [reference.projectUid, reference.startedAt];
    const later = await this.unitOfWork.execute(FIND_LATER_RELEARNING, order, { scope: ROWS_OF_ALL });
    if (later.length > 0) return;
    if (!(await this.takeAway(reference))) await this.reopen(reference);
    this.outbox.wake();
  }

  /** @returns whether there were features to take away, or the project is closed */
  private takeAway(reference: RelearningReference): Promise<boolean> {
    const { tenant, projectUid, startedAt } = reference;
    return this.unitOfWork.run(
      async (tx) => {
        if ((await this.projects.keepAllOpen([projectUid], tx)).size === 0) return true;
        const inScope = { tx, scope: ROWS_OF_ALL };
        const values = [projectUid, startedAt, FEATURES_PER_STEP];
        const rows = await this.unitOfWork.execute(FEATURES_TO_RELEARN, values, inScope);
        if (rows.length === 0) return false;
        const scope = fullScope({ orgId: tenant.orgId, projectUid });
        const uids = rows.map(({ uid }) => uid);
        for (const part of inParts(uids, READ_AT_ONCE)) {
          await inHalves(part, async (some) => {
            const gone = await this.features.recordsOf(scope, some, tx, MAX_READ_BYTES);
            await this.writer.writeAll(tx, { gone, writes: [], origin: { kind: 'client', episodes: [] } });
          });
        }
        await this.outbox.append(tx, relearnProject, reference);
        return true;
      },
      { scope: ROWS_OF_ALL },
    );
  }

  private async reopen(reference: RelearningReference): Promise<void> {
    const { tenant, projectUid, startedAt, after } = reference;
    const { episodes } = await this.rpc.call(exportEpisodes, { tenant, after });
    const last = episodes.at(-1);
    const next = last && { ...reference, after: { createdAt: last.createdAt, uid: last.uid } };
    const uids = episodes.filter(({ types }) => types.includes('semantic')).map(({ uid }) => uid);
    await this.intake.takeAgain(
      { reference: { tenant, projectUid, uids }, receivedAt: new Date(), causes: [] },
      startedAt,
      async (tx) => {
        const isNext = await this.isNext(reference, tx);
        if (!isNext) return false;
        const position = [startedAt, ...(next ? [next.after.createdAt, next.after.uid] : [])];
        const values = [projectUid, next ? position : [startedAt, 'done'], next === undefined];
        await this.unitOfWork.execute(SET_RELEARNING, values, { tx, scope: ROWS_OF_ALL });
        if (next) await this.outbox.append(tx, relearnProject, next);
        else await this.raiseDone(reference, tx);
        return true;
      },
    );
  }

  /** Whether the step was not taken before. */
  private async isNext(
    { projectUid, startedAt, after }: RelearningReference,
    tx: Transaction,
  ): Promise<boolean> {
    const inScope = { tx, scope: ROWS_OF_ALL };
    const [row] = await this.unitOfWork.execute(LOCK_RELEARNING, [projectUid, startedAt], inScope);
    if (!row) return false;
    const [, ...behind] = row.position ?? [];
    return behind.join() === (after ? [after.createdAt, after.uid] : []).join();
  }

  private raiseDone(
    { tenant: { orgId }, projectUid, startedAt }: RelearningReference,
    tx: Transaction,
  ): Promise<void> {
    const done = notification(uuidv7(), 'relearning.done', { orgId, projectUid }, { started_at: startedAt });
    return this.outbox.append(tx, semanticNotificationsRaised, done);
  }
}
