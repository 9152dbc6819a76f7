import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/**
 * Episodes that have expired, by project, for the transaction alone: another worker takes others.
 * Parameter: how many at most.
 */
export const TAKE_EXPIRED = sql({
  text: `WITH taken AS (
           SELECT uid, project_uid FROM ${SCHEMA}.episodes
           WHERE expires_at <= now() AND deleted_at IS NULL ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
         SELECT org_id, project_id, project_uid, array_agg(taken.uid::text) AS uids
         FROM taken JOIN ${SCHEMA}.projects ON projects.uid = project_uid
         GROUP BY org_id, project_id, project_uid ORDER BY project_uid`,
  row: { org_id: 'text', project_id: 'text', project_uid: 'uuid', uids: 'text[]' },
});
