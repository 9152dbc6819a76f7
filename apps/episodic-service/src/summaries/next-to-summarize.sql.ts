import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { EPISODE_COLUMNS, EPISODE_ROW, IS_LIVE } from '../episodes/episode-rows.js';

/**
 * An episode that expires sooner stays out of the summary: each that expires in it has it written anew.
 * So that happens once in this time at most, as long as nothing is deleted.
 */
const STAYS = `(expires_at IS NULL OR expires_at > now() + interval '1 hour')`;

/**
 * Episodes that are not in the summary, from the oldest up to the middle of the window; none unless the oldest of them
 * is outside the window.
 *
 * Parameters: the project, instant and uid of the oldest episode in the window and of the one in its middle, how many
 * episodes to answer at most.
 */
export const NEXT_TO_SUMMARIZE = sql({
  name: 'next_to_summarize',
  text: `
WITH pending AS (
  SELECT pending.* FROM ${SCHEMA}.episodes AS pending
  JOIN ${SCHEMA}.summaries AS summary ON summary.project_uid = pending.project_uid
  WHERE pending.project_uid = $1 AND ${IS_LIVE} AND in_short_term AND NOT in_summary AND ${STAYS}
    AND pending.created_at >= greatest(complete_to, begins_at, '-infinity')
    AND (begins_at IS NULL OR (pending.created_at, pending.uid) >= (begins_at, begins_uid))
    AND (pending.created_at, pending.uid) < ($4::timestamptz, $5::uuid)
  ORDER BY pending.created_at, pending.uid LIMIT $6
)
SELECT ${EPISODE_COLUMNS} FROM pending
WHERE EXISTS (SELECT FROM pending AS one WHERE (one.created_at, one.uid) < ($2::timestamptz, $3::uuid))
ORDER BY pending.created_at, pending.uid`,
  row: EPISODE_ROW,
});
