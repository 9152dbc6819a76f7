import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { AWAITS_VECTOR } from '../episodes/adjacent-episodes.js';
import { TAKEN_ROW, takeEpisodes } from './take-episodes.js';

const LONG_AGO = 'now() - make_interval(secs => $1)';

/** Of each project so many that all of them together have half. What was ordered waits longer here: it may still be in its queue. */
const OF_THESE_PROJECTS = `
    SELECT due.uid FROM unnest($3::uuid[]) AS project (uid) CROSS JOIN LATERAL (
      SELECT uid FROM ${SCHEMA}.episodes
      WHERE project_uid = project.uid AND ${AWAITS_VECTOR} AND added_at < ${LONG_AGO}
        AND coalesce(ordered_at, '-infinity') < now() - make_interval(secs => 3 * $1)
      ORDER BY added_at LIMIT greatest(1, $2 / 2 / greatest(1, cardinality($3::uuid[])))
      FOR UPDATE SKIP LOCKED) AS due`;

/**
 * Episodes without a vector: half of some projects, so that what one project added in masses is not in front of all others,
 * the rest by age. Parameters: seconds since they were ordered or added, how many at most, these projects.
 */
export const TAKE_OVERDUE_EPISODES = sql({
  text: takeEpisodes(
    { uids: OF_THESE_PROJECTS },
    { condition: `${AWAITS_VECTOR} AND ordered_at IS NULL AND added_at < ${LONG_AGO}`, by: 'added_at' },
    {
      condition: `${AWAITS_VECTOR} AND ordered_at IS NOT NULL AND ordered_at < ${LONG_AGO}`,
      by: 'ordered_at',
    },
  ),
  row: TAKEN_ROW,
});
