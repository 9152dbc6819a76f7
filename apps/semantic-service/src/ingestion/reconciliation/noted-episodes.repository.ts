import { type Instant, type Tenant } from '@loci/contracts';
import { ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { NIL } from 'uuid';
import { type Position } from './claim-cursor.sql.js';
import { NOTED_EPISODES } from './noted-episodes.sql.js';

/** An episode that a feature cites, or that waits to be ingested. */
export interface NotedEpisode {
  readonly uid: string;
  readonly projectUid: string;
  /** Absent when the project is closed. */
  readonly tenant: Tenant | undefined;
  /** Absent in what an older version noted. */
  readonly addedAt: Instant | undefined;
}

/** The episodes that something here depends on. */
@Injectable()
export class NotedEpisodesRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Those after a position, from the beginning without one; by project and uid. */
  async page([projectUid, uid]: Position, limit: number): Promise<NotedEpisode[]> {
    const values = [projectUid ?? NIL, uid ?? NIL, limit];
    const rows = await this.unitOfWork.execute(NOTED_EPISODES, values, { scope: ROWS_OF_ALL });
    return rows.map(({ project_uid, episode_uid, org_id: orgId, project_id: projectId, added_at }) => ({
      uid: episode_uid,
      projectUid: project_uid,
      tenant: orgId === null || projectId === null ? undefined : { orgId, projectId },
      addedAt: added_at ?? undefined,
    }));
  }
}
