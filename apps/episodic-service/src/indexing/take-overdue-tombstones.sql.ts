import { sql } from '@loci/persistence';
import { TAKEN_ROW, takeEpisodes } from './take-episodes.js';

const LONG_AGO = 'now() - make_interval(secs => $1)';

/** Parameters: seconds since their removal was ordered or they were deleted, how many at most. */
export const TAKE_OVERDUE_TOMBSTONES = sql({
  text: takeEpisodes({
    condition: `deleted_at IS NOT NULL AND deleted_at < ${LONG_AGO} AND greatest(ordered_at, deleted_at) < ${LONG_AGO}`,
    by: 'deleted_at',
  }),
  row: TAKEN_ROW,
});
