import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { EPISODE_COLUMNS, EPISODE_ROW, IS_LIVE } from '../episodes/episode-rows.js';
import { windowOf } from '../episodes/newest-episodes.sql.js';

/**
 * Episodes that are not in the summary, from the oldest up to the middle of the window; none unless the oldest of them
 * is outside the window.
 *
 * Parameters: the project, the characters that fit into the window, how many episodes to answer at most.
 */
export const NEXT_TO_SUMMARIZE = sql({
  name: 'next_to_summarize',
  text: `
WITH latest AS (
  SELECT created_at, uid, sum(char_length(content)) OVER newest_first AS chars, row_number() OVER newest_first AS rank
  FROM ${windowOf('$1')} AS newest
  WINDOW newest_first AS (ORDER BY created_at DESC, uid DESC ROWS UNBOUNDED PRECEDING)
), edge AS (
  SELECT created_at, uid FROM latest WHERE chars <= $2 OR rank = 1 ORDER BY created_at, uid LIMIT 1
), middle AS (
  SELECT created_at, uid FROM latest WHERE chars <= $2 / 2 OR rank = 1 ORDER BY created_at, uid LIMIT 1
), pending AS (
  SELECT pending.* FROM ${SCHEMA}.episodes AS pending CROSS JOIN middle
  JOIN ${SCHEMA}.summaries AS summary ON summary.project_uid = pending.project_uid
  WHERE pending.project_uid = $1 AND ${IS_LIVE} AND in_short_term AND NOT in_summary
    AND pending.created_at >= coalesce(complete_to, '-infinity')
    AND (pending.created_at, pending.uid) < (middle.created_at, middle.uid)
  ORDER BY pending.created_at, pending.uid LIMIT $3
)
SELECT ${EPISODE_COLUMNS} FROM pending
WHERE EXISTS (SELECT FROM pending AS one CROSS JOIN edge WHERE (one.created_at, one.uid) < (edge.created_at, edge.uid))
ORDER BY pending.created_at, pending.uid`,
  row: EPISODE_ROW,
});
