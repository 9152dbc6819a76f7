import { ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { Logger, PeriodicTask } from '@loci/platform';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { EpisodicServiceEnv } from '../env.js';
import { EpisodeRemoval } from '../episodes/episode-removal.js';
import { IS_ANY_EXPIRED } from './is-any-expired.sql.js';
import { TAKE_EXPIRED } from './take-expired.sql.js';

/** Episodes deleted in one transaction. */
const STEP = 500;

/**
 * Deletes episodes that have expired, as a client would: with their vectors and what was learned from them alone. No read
 * has shown them since they expired. The locks of a transaction keep other workers away, and end with a killed one.
 */
@Injectable()
export class ExpiredEpisodes implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly task: PeriodicTask;

  constructor(
    env: EpisodicServiceEnv,
    private readonly removal: EpisodeRemoval,
    private readonly unitOfWork: UnitOfWork,
    logger: Logger,
  ) {
    this.task = new PeriodicTask({
      name: 'deletion of expired episodes',
      intervalMs: env.SWEEP_INTERVAL_MS,
      work: async (signal) => {
        while (!signal.aborted && (await this.sweep()) === STEP);
      },
      logger,
    });
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.task.stop();
  }

  /** @returns how many it deleted: fewer than `STEP` when no more are left */
  async sweep(): Promise<number> {
    const [look] = await this.unitOfWork.execute(IS_ANY_EXPIRED, [], { scope: ROWS_OF_ALL });
    if (look?.is_any !== true) return 0;
    const deleted = await this.unitOfWork.run(async (tx) => {
      const projects = await this.unitOfWork.execute(TAKE_EXPIRED, [STEP], { tx, scope: ROWS_OF_ALL });
      let count = 0;
      for (const { org_id, project_id, project_uid, uids } of projects) {
        const project = { tenant: { orgId: org_id, projectId: project_id }, projectUid: project_uid };
        count += (await this.removal.remove(project, uids, tx)).length;
      }
      return count;
    });
    if (deleted > 0) this.removal.wake();
    return deleted;
  }
}
