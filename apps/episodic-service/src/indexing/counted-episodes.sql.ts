import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { BELONGS } from '../episodes/adjacent-episodes.js';
import { FACTS_ROW, instantText } from '../episodes/episode-rows.js';
import { episodesByUid } from '../episodes/episodes-by-uid.js';

/** Characters that are read of each: its words say enough of how common words are. */
const CHARACTERS = 10_000;

/** Moments at which the older ones are looked at. */
const MOMENTS = 20;

const EPISODES = `${SCHEMA}.episodes WHERE project_uid = $1 AND ${BELONGS}`;

/**
 * Episodes whose words are counted: the newest, and as many from all of the time before. Parameters: the project, how many at most
 * of each kind.
 */
export const COUNTED_EPISODES = sql({
  text: `
WITH newest AS (
  SELECT uid FROM ${EPISODES} ORDER BY created_at DESC, uid DESC LIMIT $2
), span AS (
  SELECT (SELECT min(created_at) FROM ${EPISODES}) AS first, (SELECT max(created_at) FROM ${EPISODES}) AS last
), older AS (
  SELECT from_then.uid FROM span CROSS JOIN generate_series(0, ${MOMENTS - 1}) AS moment
  CROSS JOIN LATERAL (
    SELECT uid FROM ${EPISODES} AND created_at >= first + moment * (last - first) / ${MOMENTS}
    ORDER BY created_at, uid LIMIT $2 / ${MOMENTS}) AS from_then
)
SELECT ${instantText('created_at')} AS "createdAt", producer_id AS "producerId", left(content, ${CHARACTERS}) AS content
FROM ${episodesByUid('$1', 'ARRAY(SELECT uid FROM newest UNION SELECT uid FROM older)')} AS episodes WHERE ${BELONGS}`,
  row: { createdAt: FACTS_ROW.created_at, producerId: 'text', content: 'text' },
});
