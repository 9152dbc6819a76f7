import { waitingColumns } from '@loci/indexing';
import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { AWAITS_VECTOR } from '../episodes/adjacent-episodes.js';
import { EPISODE_COLUMNS, EPISODE_ROW } from '../episodes/episode-rows.js';

const NEWEST_FIRST = 'added_at DESC, uid DESC';

/**
 * Those without a vector, last added first, each with how many there are. Parameters: the project, how many at most, how many bytes
 * those before a row may have.
 */
export const WAITING_EPISODES = sql({
  name: 'waiting_episodes',
  text: `
WITH waiting AS (
  SELECT * FROM ${SCHEMA}.episodes WHERE project_uid = $1 AND ${AWAITS_VECTOR}
  ORDER BY ${NEWEST_FIRST} LIMIT $2
), measured AS (
  SELECT waiting.*, ${waitingColumns('content', NEWEST_FIRST)} FROM waiting
)
SELECT ${EPISODE_COLUMNS}, waiting_count FROM measured AS episodes WHERE bytes_before < $3::bigint
ORDER BY ${NEWEST_FIRST}`,
  row: { ...EPISODE_ROW, waiting_count: 'int4' },
});
