import { sql } from '@loci/persistence';
import { ADDED_AT, ADDED_ROW, FACTS_COLUMNS, IS_LIVE } from '../episodes/episode-rows.js';
import { episodesByUid } from '../episodes/episodes-by-uid.js';

/** Parameters: the project, the uids. */
export const LOCATE_EPISODES = sql({
  text: `SELECT ${FACTS_COLUMNS}, ${ADDED_AT} FROM ${episodesByUid('$1', '$2::uuid[]')} AS episodes WHERE ${IS_LIVE}`,
  row: ADDED_ROW,
});
