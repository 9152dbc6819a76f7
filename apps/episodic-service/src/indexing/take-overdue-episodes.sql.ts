import { sql } from '@loci/persistence';
import { BELONGS } from '../episodes/adjacent-episodes.js';
import { TAKEN_ROW, takeEpisodes } from './take-episodes.js';

const LONG_AGO = 'now() - make_interval(secs => $1)';

/** Episodes without a vector. Parameters: seconds since they were ordered or added, how many at most. */
export const TAKE_OVERDUE_EPISODES = sql({
  text: takeEpisodes(
    {
      condition: `indexed_at IS NULL AND ${BELONGS} AND ordered_at IS NULL AND added_at < ${LONG_AGO}`,
      by: 'added_at',
    },
    {
      condition: `indexed_at IS NULL AND ${BELONGS} AND ordered_at IS NOT NULL AND ordered_at < ${LONG_AGO}`,
      by: 'ordered_at',
    },
  ),
  row: TAKEN_ROW,
});
