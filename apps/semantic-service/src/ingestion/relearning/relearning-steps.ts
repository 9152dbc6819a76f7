import {
  ingestSet,
  notification,
  relearnProject,
  type RelearningReference,
  semanticNotificationsRaised,
} from '@loci/contracts';
import { Outbox, ROWS_OF_ALL, type Transaction, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { FeatureWriter } from '../../features/feature-writer.js';
import { FeaturesRepository } from '../../features/features.repository.js';
import { fullScope } from '../../projects/project.js';
import { ProjectsRepository } from '../../projects/projects.repository.js';
import { FEATURES_TO_RELEARN } from './features-to-relearn.sql.js';
import { LOCK_JOBS_OF_PROJECT } from './lock-jobs-of-project.sql.js';
import { REOPEN_MESSAGES } from './reopen-messages.sql.js';

/** What one step changes at most: each is a transaction of its own. */
const FEATURES_PER_STEP = 500;
const MESSAGES_PER_STEP = 5_000;

/**
 * Learns the messages of a project again, so that its facts get subjects: takes away the features without one that only
 * models made, then puts the messages back into the backlog. Each step orders the next in its transaction, and is
 * harmless when repeated.
 */
@Injectable()
export class RelearningSteps {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly features: FeaturesRepository,
    private readonly writer: FeatureWriter,
    private readonly unitOfWork: UnitOfWork,
    private readonly outbox: Outbox,
  ) {}

  /** The next step, in a transaction of its own. */
  async step(reference: RelearningReference): Promise<void> {
    await this.unitOfWork.run(
      async (tx) => {
        const open = await this.projects.keepAllOpen([reference.projectUid], tx);
        const isMore =
          open.size > 0 && ((await this.takeAway(reference, tx)) || (await this.reopen(reference, tx)));
        if (isMore) await this.outbox.append(tx, relearnProject, reference);
        else if (open.size > 0) await this.raiseDone(reference, tx);
      },
      { scope: ROWS_OF_ALL },
    );
    this.outbox.wake();
  }

  private raiseDone(
    { tenant: { orgId }, projectUid, startedAt }: RelearningReference,
    tx: Transaction,
  ): Promise<void> {
    const done = notification(uuidv7(), 'relearning.done', { orgId, projectUid }, { started_at: startedAt });
    return this.outbox.append(tx, semanticNotificationsRaised, done);
  }

  /** @returns whether there were some */
  private async takeAway(
    { tenant, projectUid, startedAt }: RelearningReference,
    tx: Transaction,
  ): Promise<boolean> {
    const inScope = { tx, scope: ROWS_OF_ALL };
    const values = [projectUid, startedAt, FEATURES_PER_STEP];
    const rows = await this.unitOfWork.execute(FEATURES_TO_RELEARN, values, inScope);
    if (rows.length === 0) return false;
    const scope = fullScope({ orgId: tenant.orgId, projectUid });
    const uids = rows.map(({ uid }) => uid);
    const gone = await this.features.recordsOf(scope, uids, tx);
    await this.writer.writeAll(tx, { gone, writes: [], origin: { kind: 'client', episodes: [] } });
    return true;
  }

  /** @returns whether there were some */
  private async reopen({ projectUid, startedAt }: RelearningReference, tx: Transaction): Promise<boolean> {
    const inScope = { tx, scope: ROWS_OF_ALL };
    await this.unitOfWork.execute(LOCK_JOBS_OF_PROJECT, [projectUid], inScope);
    const values = [projectUid, startedAt, MESSAGES_PER_STEP];
    const [row] = await this.unitOfWork.execute(REOPEN_MESSAGES, values, inScope);
    for (const setUid of row?.due_sets ?? []) await this.outbox.append(tx, ingestSet, { setUid });
    return (row?.reopened ?? 0) > 0;
  }
}
