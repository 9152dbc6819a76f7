import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { ADDED_AT, ADDED_ROW, FACTS_COLUMNS, IS_LIVE } from '../episodes/episode-rows.js';

/** Parameters: the project, the uids. */
export const LOCATE_EPISODES = sql({
  text: `SELECT ${FACTS_COLUMNS}, ${ADDED_AT} FROM ${SCHEMA}.episodes
         WHERE project_uid = $1 AND uid = ANY($2::uuid[]) AND ${IS_LIVE}`,
  row: ADDED_ROW,
});
