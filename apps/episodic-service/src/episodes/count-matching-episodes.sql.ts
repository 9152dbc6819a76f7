import { sql, type SqlPredicate } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { IS_LIVE } from './episode-rows.js';
import { WALKED, WALKED_ROW } from './walked-page.js';

/**
 * Counts among the next episodes by time and uid. One row: how many match, how many were looked at, and the last of them.
 * Parameters: the project, behind which time and uid, until which time, how many at most, and from 6 on those of the
 * predicate.
 */
export const countMatchingEpisodes = ({ sql: matches }: SqlPredicate) =>
  sql({
    text: `WITH page AS (
             SELECT created_at, uid, ${IS_LIVE} AND ${matches} AS is_match FROM ${SCHEMA}.episodes
             WHERE project_uid = $1 AND deleted_at IS NULL AND (created_at, uid) > ($2::timestamptz, $3::uuid)
               AND created_at <= $4::timestamptz
             ORDER BY created_at, uid LIMIT $5)
           SELECT count(*) FILTER (WHERE is_match)::int AS matching, ${WALKED}
           FROM page`,
    row: { matching: 'int4', ...WALKED_ROW },
  });
