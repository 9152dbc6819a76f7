import { rowColumns } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Episodes that are due, in the sequence of a column: one index answers it, however many others wait. */
interface DueEpisodes {
  readonly condition: string;
  readonly by: 'added_at' | 'ordered_at' | 'deleted_at';
}

/** SQL that notes as ordered now, by project, the first episodes of these kinds. Parameter 2: how many at most. */
export function takeEpisodes(...kinds: readonly DueEpisodes[]): string {
  const found = kinds.map(({ condition, by }, index) => {
    const before = kinds.slice(0, index).map((_, other) => ` - (SELECT count(*) FROM kind_${other})`);
    return `kind_${index} AS MATERIALIZED (
    SELECT uid FROM ${SCHEMA}.episodes WHERE ${condition}
    ORDER BY ${by} LIMIT greatest(0, $2${before.join('')}) FOR UPDATE SKIP LOCKED)`;
  });
  const taken = kinds.map((_, index) => `SELECT uid FROM kind_${index}`).join(' UNION ALL ');
  return `
  WITH ${found.join(', ')}, enqueued AS (
    UPDATE ${SCHEMA}.episodes SET ordered_at = now() FROM (${taken}) AS taken WHERE episodes.uid = taken.uid
    RETURNING episodes.uid, episodes.project_uid
  )
  SELECT org_id, project_id, project_uid, array_agg(enqueued.uid) AS uids
  FROM enqueued JOIN ${SCHEMA}.projects ON projects.uid = project_uid
  WHERE state = 'open' GROUP BY org_id, project_id, project_uid`;
}

export const TAKEN_ROW = rowColumns({
  org_id: 'text',
  project_id: 'text',
  project_uid: 'uuid',
  uids: 'uuid[]',
});
