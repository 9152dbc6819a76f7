import { boundedRow, sql, withinBytes } from '@loci/persistence';
import { IS_LIVE } from '../features/feature-conditions.js';
import { FEATURE_BYTES, FEATURE_COLUMNS, FEATURE_ROW, FROM_FEATURES } from '../features/feature-rows.js';

/** Parameters: the uids, which the caller may see, and the bytes. */
export const CONFLICTING_FEATURES = sql({
  name: 'conflicting_features',
  text: withinBytes({
    page: `SELECT ${FEATURE_COLUMNS} ${FROM_FEATURES} WHERE features.uid = ANY($1::uuid[]) AND ${IS_LIVE}`,
    columns: 'page.*',
    bytes: FEATURE_BYTES,
    maxBytes: '$2',
  }),
  row: boundedRow(FEATURE_ROW),
});
