import { sql, type SqlPredicate } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { WALKED, WALKED_ROW } from '../episodes/walked-page.js';

/**
 * Looks at the next episodes by time and uid. One row: those that match and were added in time, how many were looked at,
 * and the last of them. What has expired but is still there is looked at, too.
 * Parameters: the project, behind which time and uid, how many at most, until when they were added, and from 6 on those
 * of the predicate.
 */
export const matchEpisodes = ({ sql: matches }: SqlPredicate) =>
  sql({
    text: `WITH page AS (
             SELECT episodes.*, ${matches} AS is_match FROM ${SCHEMA}.episodes
             WHERE project_uid = $1 AND deleted_at IS NULL AND (created_at, uid) > ($2::timestamptz, $3::uuid)
             ORDER BY created_at, uid LIMIT $4)
           SELECT coalesce(array_agg(uid::text) FILTER (WHERE is_match AND added_at <= $5::timestamptz), '{}') AS uids,
                  ${WALKED}
           FROM page`,
    row: { uids: 'text[]', ...WALKED_ROW },
  });
