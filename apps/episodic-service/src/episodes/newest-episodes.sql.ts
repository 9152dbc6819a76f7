import { sql, type SqlPredicate } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { EPISODE_COLUMNS, EPISODE_ROW, IS_LIVE } from './episode-rows.js';

/** As many of the newest are looked through, and a window shows: any number may be outside of the memory that is asked for. */
export const MAX_WINDOW_EPISODES = 5_000;

/** A table: the newest of a project. @param condition of what is looked at */
export const newestOf = (projectUid: string, condition = 'true'): string => `
  (SELECT * FROM ${SCHEMA}.episodes WHERE project_uid = ${projectUid} AND ${IS_LIVE} AND ${condition}
   ORDER BY created_at DESC, uid DESC LIMIT ${MAX_WINDOW_EPISODES})`;

/**
 * A table: those of short-term memory among the newest of a project.
 * @param limit of them; all the newest are looked at
 * @param condition of what is looked at
 */
export const windowOf = (projectUid: string, limit = '', condition = 'true'): string => `
  (SELECT * FROM ${newestOf(projectUid, condition)} AS newest
   WHERE in_short_term ORDER BY created_at DESC, uid DESC ${limit})`;

/** Bytes of a character in UTF-8 at most. */
const MAX_BYTES = 4;

/**
 * A table: the first of another one, as far as their characters may fit. Bytes tell so without a text being decompressed, which
 * counting the characters of all would take.
 * @param order of the table; each row has its `ordinal` in it, from 1
 * @param chars a parameter: how many fit; the first one is there in any case
 */
export const mayFit = (table: string, order: string, chars: string): string => `
  (SELECT * FROM (
     SELECT *, sum(octet_length(content)) OVER in_order AS bytes, row_number() OVER in_order AS ordinal
     FROM ${table} AS looked_at WINDOW in_order AS (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)) AS in_bytes
   WHERE bytes <= ${MAX_BYTES} * ${chars}::bigint OR ordinal = 1)`;

/** Clocks differ; what is dated further ahead was not said last. */
const NOW = `now() + interval '5 minutes'`;

const LATEST = `
  (SELECT *, false AS is_ahead FROM ${windowOf('$1', 'LIMIT $4', `created_at <= ${NOW}`)} AS said
   UNION ALL
   SELECT *, true FROM ${windowOf('$1', 'LIMIT $4', `created_at > ${NOW}`)} AS ahead)`;

/**
 * The newest episodes of short-term memory that fit into a window, newest first. What is dated in the future is among them as far
 * as all others leave room.
 * Parameters: the project, the characters of the window, how many at most, how many are looked at, and from 5 on those of
 * the predicate.
 */
export const newestEpisodes = ({ sql: matches }: SqlPredicate) =>
  sql({
    // a name stands for one text: some filters have no parameters either
    name: matches === 'true' ? 'newest_episodes' : undefined,
    text: `WITH measured AS (
             SELECT *, sum(char_length(content)) OVER (ORDER BY ordinal ROWS UNBOUNDED PRECEDING) AS chars
             FROM ${mayFit(LATEST, 'is_ahead, created_at DESC, uid DESC', '$2')} AS fitting_bytes
           ), fitting AS (
             SELECT * FROM measured WHERE (chars <= $2 OR ordinal = 1) AND ${matches} ORDER BY ordinal LIMIT $3
           )
           SELECT ${EPISODE_COLUMNS} FROM fitting ORDER BY fitting.created_at DESC, fitting.uid DESC`,
    row: EPISODE_ROW,
  });
