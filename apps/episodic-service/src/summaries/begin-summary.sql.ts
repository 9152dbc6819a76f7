import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { mayFit, windowOf } from '../episodes/newest-episodes.sql.js';
import { SUMMARY_LEASE } from './summary-lease.js';

const EARLIER = windowOf('$1', 'LIMIT $5', '(created_at, uid) < ($3::timestamptz, $4::uuid)');

/**
 * Has a summary that was thrown away begin shortly before the window, when no episode is marked as being in it any more.
 * Parameters: the project and the fence of the claim, instant and uid of the oldest episode in the window, how many
 * episodes before that are read at most, and how many characters of theirs.
 */
export const BEGIN_SUMMARY = sql({
  text: `
WITH earlier AS (
  SELECT created_at, uid, sum(char_length(content)) OVER (ORDER BY ordinal ROWS UNBOUNDED PRECEDING) AS chars
  FROM ${mayFit(EARLIER, 'created_at DESC, uid DESC', '$6')} AS newest
), beginning AS (
  SELECT created_at, uid FROM earlier WHERE chars <= $6
  UNION ALL SELECT $3::timestamptz, $4::uuid
  ORDER BY created_at, uid LIMIT 1
)
UPDATE ${SCHEMA}.summaries SET is_reset = false, begins_at = beginning.created_at, begins_uid = beginning.uid
FROM beginning WHERE project_uid = $1 AND ${SUMMARY_LEASE.isOwner(2)}`,
});
