import { type EpisodeGrouping, MAX_NAME_BYTES } from '@loci/contracts';
import { sql, type SqlPredicate } from '@loci/persistence';
import { MAX, NIL } from 'uuid';
import { SCHEMA } from '../database.js';
import { INSTANT, instantText, IS_LIVE } from './episode-rows.js';

/**
 * Null: of none. Agents and tools speak for a user only where their messages name one; what a key writes that is bound to a
 * producer is of this producer alone.
 */
const NAMES: Readonly<Record<EpisodeGrouping, string>> = {
  user: `CASE WHEN is_bound THEN producer_id ELSE coalesce(metadata->>'user_id', CASE WHEN producer_role !~ 'assistant|system|tool' THEN producer_id END) END`,
  session: `metadata->>'session_id'`,
  producer: 'producer_id',
};

/** As JSON with its quotes: all names of a page fit into an answer, and those of features into their own (`MAX_NAME_BYTES`). */
const isShort = (name: string): string => `octet_length(to_json(${name})::text) <= ${MAX_NAME_BYTES + 2}`;

/** Where the stretch of the newest episodes ends. Parameters: the project, how many to pass over, the position (two, or none). */
export const endOfStretch = (hasBegun: boolean) =>
  sql({
    text: `SELECT ${instantText('created_at')} AS created_at, uid FROM ${SCHEMA}.episodes
           WHERE project_uid = $1 AND ${IS_LIVE}
             ${hasBegun ? 'AND (created_at, uid) < ($3::timestamptz, $4::uuid)' : ''}
           ORDER BY episodes.created_at DESC, uid DESC OFFSET $2 LIMIT 1`,
    row: { created_at: INSTANT, uid: 'uuid' },
  });

/**
 * Parameters: the project, the position before which and that from which on (two each, null = no bound), and from 6 on those
 * of the predicate.
 */
export function groupEpisodes(by: EpisodeGrouping, { sql: matches }: SqlPredicate) {
  const name = NAMES[by];
  return sql({
    text: `SELECT CASE WHEN ${isShort(name)} THEN ${name} ELSE '' END AS name,
             count(*)::int AS episodes,
             ${instantText('min(created_at)')} AS first_at, ${instantText('max(created_at)')} AS last_at
           FROM ${SCHEMA}.episodes
           WHERE project_uid = $1 AND ${IS_LIVE}
             AND (created_at, uid) < (coalesce($2::timestamptz, 'infinity'), coalesce($3::uuid, '${MAX}'))
             AND (created_at, uid) >= (coalesce($4::timestamptz, '-infinity'), coalesce($5::uuid, '${NIL}'))
             AND ${matches}
           GROUP BY 1 ORDER BY max(created_at) DESC, 1`,
    row: { name: 'text', episodes: 'int4', first_at: INSTANT, last_at: INSTANT },
  });
}
