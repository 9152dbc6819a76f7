import { sql, type SqlPredicate } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { EPISODE_COLUMNS, EPISODE_ROW, IS_LIVE } from './episode-rows.js';

/** As many of the newest are looked through, and a window shows: any number may be outside of short-term memory. */
export const MAX_WINDOW_EPISODES = 5_000;

/** A table: those of short-term memory among the newest of a project. @param limit of them; all the newest are looked at */
export const windowOf = (projectUid: string, limit = ''): string => `
  (SELECT * FROM (SELECT * FROM ${SCHEMA}.episodes WHERE project_uid = ${projectUid} AND ${IS_LIVE}
                  ORDER BY created_at DESC, uid DESC LIMIT ${MAX_WINDOW_EPISODES}) AS newest
   WHERE in_short_term ORDER BY created_at DESC, uid DESC ${limit})`;

/**
 * The newest episodes of short-term memory that fit into a window, newest first.
 * Parameters: the project, the characters of the window, how many at most, how many are looked at, and from 5 on those of
 * the predicate.
 */
export const newestEpisodes = ({ sql: matches }: SqlPredicate) =>
  sql({
    // a name stands for one text: some filters have no parameters either
    name: matches === 'true' ? 'newest_episodes' : undefined,
    text: `WITH measured AS (
             SELECT *, sum(char_length(content)) OVER newest_first AS chars, row_number() OVER newest_first AS ordinal
             FROM ${windowOf('$1', 'LIMIT $4')} AS latest
             WINDOW newest_first AS (ORDER BY created_at DESC, uid DESC ROWS UNBOUNDED PRECEDING)
           )
           SELECT ${EPISODE_COLUMNS} FROM measured
           WHERE (chars <= $2 OR ordinal = 1) AND ${matches}
           ORDER BY measured.created_at DESC, measured.uid DESC LIMIT $3`,
    row: EPISODE_ROW,
  });
