import { boundedRow, sql, type SqlPredicate, withinBytes } from '@loci/persistence';
import { EPISODE_BYTES, EPISODE_COLUMNS, EPISODE_ROW, IS_LIVE } from './episode-rows.js';
import { episodesByUid } from './episodes-by-uid.js';

/** Parameters: the project, the uids, the bytes, and from 4 on those of the predicate. */
export const findMatchingEpisodes = ({ sql: matches }: SqlPredicate) =>
  sql({
    // a name stands for one text: some filters have no parameters either
    name: matches === 'true' ? 'episodes_by_uid' : undefined,
    text: withinBytes({
      page: `SELECT episodes.* FROM ${episodesByUid('$1', '$2::uuid[]')} AS episodes
             WHERE ${IS_LIVE} AND ${matches}`,
      columns: EPISODE_COLUMNS,
      bytes: EPISODE_BYTES,
      maxBytes: '$3',
    }),
    row: boundedRow(EPISODE_ROW),
  });
