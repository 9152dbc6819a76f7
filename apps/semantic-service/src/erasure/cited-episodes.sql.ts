import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameters: the project, how many at most. */
export const CITED_EPISODES = sql({
  text: `SELECT DISTINCT episode_uid FROM ${SCHEMA}.citations WHERE project_uid = $1 LIMIT $2`,
  row: { episode_uid: 'uuid' },
});
