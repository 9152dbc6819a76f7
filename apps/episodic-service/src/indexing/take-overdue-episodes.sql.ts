import { sql } from '@loci/persistence';
import { BELONGS } from '../episodes/adjacent-episodes.js';
import { TAKEN_ROW, takeEpisodes } from './take-episodes.js';

/** Episodes without a vector. Parameters: seconds since they were ordered or added, how many at most. */
export const TAKE_OVERDUE_EPISODES = sql({
  text: takeEpisodes(
    `indexed_at IS NULL AND ${BELONGS} AND coalesce(ordered_at, added_at) < now() - make_interval(secs => $1)`,
  ),
  row: TAKEN_ROW,
});
