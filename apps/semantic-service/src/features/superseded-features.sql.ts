import { sql } from '@loci/persistence';
import { BOUNDED_RECORD_ROW, boundedRecords } from './bounded-records.js';
import { IS_LIVE } from './feature-conditions.js';

/** What ended because of some features, and is none of them. Parameters: the set, their uids, the most bytes. */
export const SUPERSEDED_FEATURES = sql({
  text: boundedRecords(
    `set_uid = $1 AND superseded_by = ANY($2::uuid[]) AND uid <> ALL($2::uuid[]) AND ${IS_LIVE}`,
    '$3',
  ),
  row: BOUNDED_RECORD_ROW,
});
