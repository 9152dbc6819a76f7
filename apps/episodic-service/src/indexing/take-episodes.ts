import { rowColumns } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** SQL that notes as ordered now, by project, the first episodes for which a condition holds. Parameter 2: how many at most. */
export const takeEpisodes = (condition: string): string => `
  WITH taken AS (
    SELECT uid FROM ${SCHEMA}.episodes WHERE ${condition} ORDER BY added_at LIMIT $2 FOR UPDATE SKIP LOCKED
  ), enqueued AS (
    UPDATE ${SCHEMA}.episodes SET ordered_at = now() FROM taken WHERE episodes.uid = taken.uid
    RETURNING episodes.uid, episodes.project_uid
  )
  SELECT org_id, project_id, project_uid, array_agg(enqueued.uid) AS uids
  FROM enqueued JOIN ${SCHEMA}.projects ON projects.uid = project_uid
  WHERE state = 'open' GROUP BY org_id, project_id, project_uid`;

export const TAKEN_ROW = rowColumns({
  org_id: 'text',
  project_id: 'text',
  project_uid: 'uuid',
  uids: 'uuid[]',
});
