import { type Instant, type Tenant } from '@loci/contracts';
import { ROWS_OF_ALL, UnitOfWork } from '@loci/persistence';
import { Injectable } from '@nestjs/common';
import { instantText, SCHEMA } from '../../database.js';
import { type Position } from './cursors.repository.js';

/** An episode that a feature cites, or that waits to be ingested. */
export interface NotedEpisode {
  readonly uid: string;
  readonly projectUid: string;
  /** Absent when the project is closed. */
  readonly tenant: Tenant | undefined;
  /** Absent in what an older version noted. */
  readonly addedAt: Instant | undefined;
}

const NIL = '00000000-0000-0000-0000-000000000000';

const AFTER = '(project_uid, episode_uid) > ($1::uuid, $2::uuid)';

const PAGE = `
SELECT noted.project_uid, noted.episode_uid, projects.org_id, projects.project_id,
       ${instantText('noted.added_at')} AS added_at
FROM (
  SELECT project_uid, episode_uid, max(added_at) AS added_at FROM (
    (SELECT project_uid, episode_uid, max(added_at) AS added_at FROM ${SCHEMA}.citations
     WHERE ${AFTER} GROUP BY project_uid, episode_uid ORDER BY project_uid, episode_uid LIMIT $3)
    UNION ALL
    (SELECT project_uid, episode_uid, max(added_at) FROM ${SCHEMA}.ingestion_messages
     WHERE done_at IS NULL AND ${AFTER} GROUP BY project_uid, episode_uid ORDER BY project_uid, episode_uid LIMIT $3)
  ) AS either
  GROUP BY project_uid, episode_uid ORDER BY project_uid, episode_uid LIMIT $3
) AS noted
LEFT JOIN ${SCHEMA}.projects ON projects.uid = noted.project_uid AND projects.state = 'open'
ORDER BY noted.project_uid, noted.episode_uid`;

interface NotedRow {
  readonly project_uid: string;
  readonly episode_uid: string;
  readonly org_id: string | null;
  readonly project_id: string | null;
  readonly added_at: Instant | null;
}

/** The episodes that something here depends on. */
@Injectable()
export class NotedEpisodesRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Those after a position, from the beginning without one; by project and uid. */
  async page([projectUid, uid]: Position | readonly [], limit: number): Promise<NotedEpisode[]> {
    const rows = await this.unitOfWork.single(
      (manager) => manager.query<NotedRow[]>(PAGE, [projectUid ?? NIL, uid ?? NIL, limit]),
      ROWS_OF_ALL,
    );
    return rows.map(({ project_uid, episode_uid, org_id: orgId, project_id: projectId, added_at }) => ({
      uid: episode_uid,
      projectUid: project_uid,
      tenant: orgId === null || projectId === null ? undefined : { orgId, projectId },
      addedAt: added_at ?? undefined,
    }));
  }
}
