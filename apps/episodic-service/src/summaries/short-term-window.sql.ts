import { type Instant } from '@loci/contracts';
import { narrowed, sql } from '@loci/persistence';
import { instantText } from '../episodes/episode-rows.js';
import { mayFit, windowOf } from '../episodes/newest-episodes.sql.js';

const MOMENT = narrowed<Instant>('text');

/**
 * The oldest episode in the window of short-term memory and the one in its middle. No row when nothing was said.
 * Parameters: the project, the characters that fit into the window.
 */
export const SHORT_TERM_WINDOW = sql({
  name: 'short_term_window',
  text: `
WITH latest AS (
  SELECT created_at, uid, ordinal, sum(char_length(content)) OVER (ORDER BY ordinal ROWS UNBOUNDED PRECEDING) AS chars
  FROM ${mayFit(windowOf('$1'), 'created_at DESC, uid DESC', '$2')} AS newest
), edge AS (
  SELECT created_at, uid FROM latest WHERE chars <= $2 OR ordinal = 1 ORDER BY created_at, uid LIMIT 1
), middle AS (
  SELECT created_at, uid FROM latest WHERE chars <= $2 / 2 OR ordinal = 1 ORDER BY created_at, uid LIMIT 1
)
SELECT ${instantText('edge.created_at')} AS edge_at, edge.uid AS edge_uid,
       ${instantText('middle.created_at')} AS middle_at, middle.uid AS middle_uid
FROM edge CROSS JOIN middle`,
  row: { edge_at: MOMENT, edge_uid: 'uuid', middle_at: MOMENT, middle_uid: 'uuid' },
});
