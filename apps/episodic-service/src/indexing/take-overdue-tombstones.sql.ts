import { sql } from '@loci/persistence';
import { TAKEN_ROW, takeEpisodes } from './take-episodes.js';

/** Parameters: seconds since their removal was ordered or they were deleted, how many at most. */
export const TAKE_OVERDUE_TOMBSTONES = sql({
  text: takeEpisodes(
    'deleted_at IS NOT NULL AND greatest(ordered_at, deleted_at) < now() - make_interval(secs => $1)',
  ),
  row: TAKEN_ROW,
});
