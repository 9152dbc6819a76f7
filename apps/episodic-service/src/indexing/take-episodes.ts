import { rowColumns } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Episodes that are due, in the sequence of a column: one index answers it, however many others wait. */
interface DueEpisodes {
  readonly condition: string;
  readonly by: 'added_at' | 'ordered_at' | 'deleted_at';
}

/** Episodes that are due, found in another way. */
interface FoundEpisodes {
  /** A query of their uids, which locks them. */
  readonly uids: string;
}

/** SQL that notes as ordered now, by project, the first episodes of these kinds. Parameter 2: how many at most. */
export function takeEpisodes(...kinds: readonly (DueEpisodes | FoundEpisodes)[]): string {
  const found = kinds.map((kind, index) => {
    if ('uids' in kind) return `kind_${index} AS MATERIALIZED (${kind.uids})`;
    const before = Array.from({ length: index }, (_, other) => `kind_${other}`);
    const others = before.map((one) => ` AND uid NOT IN (SELECT uid FROM ${one})`).join('');
    const left = before.map((one) => ` - (SELECT count(*) FROM ${one})`).join('');
    return `kind_${index} AS MATERIALIZED (
    SELECT uid FROM ${SCHEMA}.episodes WHERE ${kind.condition}${others}
    ORDER BY ${kind.by} LIMIT greatest(0, $2${left}) FOR UPDATE SKIP LOCKED)`;
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
