import { sql, type SqlPredicate } from '@loci/persistence';
import { IS_LIVE } from './episode-rows.js';
import { episodesByUid } from './episodes-by-uid.js';

/** Which of these exist and match, without their texts. Parameters: the project, the uids, and from 3 on those of the predicate. */
export const matchingUids = ({ sql: matches }: SqlPredicate) =>
  sql({
    // a name stands for one text: some filters have no parameters either
    name: matches === 'true' ? 'live_uids' : undefined,
    text: `SELECT uid FROM ${episodesByUid('$1', '$2::uuid[]')} AS episodes WHERE ${IS_LIVE} AND ${matches}`,
    row: { uid: 'uuid' },
  });
