import { sql, type SqlPredicate } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { BELONGS, inConversationOf } from '../episodes/adjacent-episodes.js';
import { episodesByUid } from '../episodes/episodes-by-uid.js';

/**
 * Of each episode the uids of the matching ones of its conversation on both sides, nearest first, those before it first.
 * Parameters: the project, the uids, how many before, how many after, among how many on each side they are looked for,
 * and from 6 on those of the predicate.
 */
export function contextOfTurns({ sql: matches }: SqlPredicate) {
  const neighbours = (than: '<' | '>', order: 'DESC' | 'ASC', limit: string): string =>
    `ARRAY(SELECT uid::text FROM (
         SELECT * FROM ${SCHEMA}.episodes WHERE ${inConversationOf('hit')}
           AND (created_at, uid) ${than} (hit.created_at, hit.uid) AND ${BELONGS}
         ORDER BY created_at ${order}, uid ${order} LIMIT $5) AS episodes
       WHERE ${matches} ORDER BY created_at ${order}, uid ${order} LIMIT ${limit})`;
  return sql({
    text: `SELECT uid, ${neighbours('<', 'DESC', '$3')} || ${neighbours('>', 'ASC', '$4')} AS context
           FROM ${episodesByUid('$1', '$2::uuid[]')} AS hit WHERE ${BELONGS}`,
    row: { uid: 'uuid', context: 'text[]' },
  });
}
