import { SCHEMA } from '../database.js';

/** Holds for every episode that belongs into long-term memory. */
export const BELONGS = 'in_long_term AND deleted_at IS NULL';

/** SQL: whether an episode is to have a vector and has none that a search finds. */
export const AWAITS_VECTOR = `indexed_at IS NULL AND ${BELONGS}`;

/** Turns further apart than this are not said in answer to each other. */
const GAP = `interval '1 hour'`;

/** Holds for the episodes of the same conversation. @param of the alias of an episode */
export const inConversationOf = (of: string): string =>
  `project_uid = ${of}.project_uid AND conversation = ${of}.conversation`;

/**
 * A subquery (for a lateral join) that finds the one episode of long-term memory right before, or after, another one of its
 * conversation in the order of time, if that is no long time away: one step in the index `episodes_in_conversation`.
 * @param columns of the episode found
 * @param of the alias of the other episode, of which it reads `project_uid`, `conversation`, `created_at` and `uid`
 * @param within SQL that bounds the step further
 */
export const adjacentEpisode = (
  side: 'before' | 'after',
  columns: string,
  of: string,
  within = 'true',
): string =>
  side === 'before'
    ? `(SELECT ${columns} FROM ${SCHEMA}.episodes WHERE ${inConversationOf(of)}
         AND (created_at, uid) < (${of}.created_at, ${of}.uid) AND created_at >= ${of}.created_at - ${GAP} AND ${BELONGS} AND ${within}
         ORDER BY created_at DESC, uid DESC LIMIT 1)`
    : `(SELECT ${columns} FROM ${SCHEMA}.episodes WHERE ${inConversationOf(of)}
         AND (created_at, uid) > (${of}.created_at, ${of}.uid) AND created_at <= ${of}.created_at + ${GAP} AND ${BELONGS} AND ${within}
         ORDER BY created_at, uid LIMIT 1)`;
