import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { BELONGS, inConversationOf } from './adjacent-episodes.js';
import { ADDED_AT, ADDED_ROW, FACTS_COLUMNS, IS_LIVE } from './episode-rows.js';
import { episodesByUid } from './episodes-by-uid.js';

/**
 * Of each conversation one walk in the index `episodes_in_conversation`. Parameters: the project, the uids, how many of each
 * conversation, characters of each content.
 */
export const PRECEDING_EPISODES = sql({
  name: 'episodes_preceding',
  text: `
WITH firsts AS (
  SELECT DISTINCT ON (conversation) project_uid, conversation, created_at, uid
  FROM ${episodesByUid('$1', '$2::uuid[]')} AS named WHERE deleted_at IS NULL
  ORDER BY conversation, created_at, uid)
SELECT left(content, $4) AS content, ${FACTS_COLUMNS}, ${ADDED_AT}
FROM (SELECT earlier.* FROM firsts CROSS JOIN LATERAL (
  SELECT * FROM ${SCHEMA}.episodes WHERE ${inConversationOf('firsts')}
    AND (created_at, uid) < (firsts.created_at, firsts.uid) AND ${BELONGS} AND ${IS_LIVE}
  ORDER BY created_at DESC, uid DESC LIMIT $3) AS earlier) AS episodes
ORDER BY episodes.created_at, uid`,
  row: { ...ADDED_ROW, content: 'text' },
});
