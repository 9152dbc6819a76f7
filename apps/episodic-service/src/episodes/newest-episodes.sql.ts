import { sql, type SqlPredicate } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { EPISODE_COLUMNS, EPISODE_ROW, IS_LIVE } from './episode-rows.js';

/**
 * The newest episodes of short-term memory that fit into a window, newest first.
 * Parameters: the project, the characters of the window, how many at most, how many are looked at, and from 5 on those of
 * the predicate.
 */
export const newestEpisodes = ({ sql: matches }: SqlPredicate) =>
  sql({
    // a name stands for one text: some filters have no parameters either
    name: matches === 'true' ? 'newest_episodes' : undefined,
    text: `WITH latest AS (
             SELECT * FROM ${SCHEMA}.episodes
             WHERE project_uid = $1 AND ${IS_LIVE} AND in_short_term
             ORDER BY created_at DESC, uid DESC LIMIT $4
           ), measured AS (
             SELECT *, sum(char_length(content)) OVER newest_first AS chars, row_number() OVER newest_first AS ordinal
             FROM latest WINDOW newest_first AS (ORDER BY created_at DESC, uid DESC ROWS UNBOUNDED PRECEDING)
           )
           SELECT ${EPISODE_COLUMNS} FROM measured
           WHERE (chars <= $2 OR ordinal = 1) AND ${matches}
           ORDER BY measured.created_at DESC, measured.uid DESC LIMIT $3`,
    row: EPISODE_ROW,
  });
