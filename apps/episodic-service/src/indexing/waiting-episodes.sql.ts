import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { BELONGS } from '../episodes/adjacent-episodes.js';
import { EPISODE_COLUMNS, EPISODE_ROW } from '../episodes/episode-rows.js';

/** Those without a vector, last added first. Parameters: the project, how many at most. */
export const WAITING_EPISODES = sql({
  text: `SELECT ${EPISODE_COLUMNS} FROM ${SCHEMA}.episodes
         WHERE project_uid = $1 AND indexed_at IS NULL AND ${BELONGS}
         ORDER BY added_at DESC, episodes.uid DESC LIMIT $2`,
  row: EPISODE_ROW,
});
