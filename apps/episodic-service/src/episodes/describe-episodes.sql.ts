import { sql } from '@loci/persistence';
import { ADDED_AT, ADDED_ROW, FACTS_COLUMNS, INGESTED_ROW, IS_LIVE } from './episode-rows.js';
import { episodesByUid } from './episodes-by-uid.js';

/** Parameters: the project, the uids, whether with their contents. */
export const DESCRIBE_EPISODES = sql({
  name: 'describe_episodes',
  text: `SELECT CASE WHEN $3::boolean THEN content ELSE '' END AS content, ${FACTS_COLUMNS}, ${ADDED_AT}, ingested
         FROM ${episodesByUid('$1', '$2::uuid[]')} AS episodes WHERE ${IS_LIVE}`,
  row: { ...ADDED_ROW, ...INGESTED_ROW, content: 'text' },
});
