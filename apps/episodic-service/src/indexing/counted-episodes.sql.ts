import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { BELONGS } from '../episodes/adjacent-episodes.js';
import { FACTS_ROW, instantText, IS_LIVE } from '../episodes/episode-rows.js';
import { episodesByUid } from '../episodes/episodes-by-uid.js';
import { MAX_WINDOW_EPISODES, newestOf } from '../episodes/newest-episodes.sql.js';

/** Characters that are read of each: its words say enough of how common words are. */
const CHARACTERS = 10_000;

/** Moments at which the older ones are looked at. */
const MOMENTS = 20;

/** Of all memories: those outside of long-term memory are passed over, any number of which may stand together. */
const EPISODES = `${SCHEMA}.episodes WHERE project_uid = $1 AND ${IS_LIVE}`;

/**
 * Episodes whose words are counted: the newest, and as many from all of the time before, as far as 5,000 of each kind have
 * them. Parameters: the project, how many at most of each kind.
 */
export const COUNTED_EPISODES = sql({
  text: `
WITH newest AS (
  SELECT uid FROM ${newestOf('$1')} AS latest WHERE ${BELONGS} ORDER BY created_at DESC, uid DESC LIMIT $2
), span AS (
  SELECT (SELECT min(created_at) FROM ${EPISODES}) AS first, (SELECT max(created_at) FROM ${EPISODES}) AS last
), older AS (
  SELECT from_then.uid FROM span CROSS JOIN generate_series(0, ${MOMENTS - 1}) AS moment
  CROSS JOIN LATERAL (
    SELECT uid FROM (
      SELECT * FROM ${EPISODES} AND created_at >= first + moment * (last - first) / ${MOMENTS}
      ORDER BY created_at, uid LIMIT ${MAX_WINDOW_EPISODES} / ${MOMENTS}) AS looked_at
    WHERE ${BELONGS} ORDER BY created_at, uid LIMIT $2 / ${MOMENTS}) AS from_then
)
SELECT ${instantText('created_at')} AS "createdAt", producer_id AS "producerId", left(content, ${CHARACTERS}) AS content
FROM ${episodesByUid('$1', 'ARRAY(SELECT uid FROM newest UNION SELECT uid FROM older)')} AS episodes WHERE ${BELONGS}`,
  row: { createdAt: FACTS_ROW.created_at, producerId: 'text', content: 'text' },
});
