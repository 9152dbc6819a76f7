import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { IS_LIVE } from '../episodes/episode-rows.js';

/** The beginnings of the newest episodes. Parameters: the project, how many characters, how many episodes. */
export const NEWEST_CONTENTS = sql({
  name: 'newest_contents',
  text: `SELECT left(content, $2) AS content FROM ${SCHEMA}.episodes
         WHERE project_uid = $1 AND ${IS_LIVE} ORDER BY created_at DESC, uid DESC LIMIT $3`,
  row: { content: 'text' },
});
