import { missingRows } from '@loci/indexing';
import { sql } from '@loci/persistence';
import { INDEXED_COLUMNS, INDEXED_ROW } from './feature-index-rows.js';
import { FeatureTable } from './feature-table.js';

const MISSING = missingRows(new FeatureTable(), { owner: '$1', version: '$2', limit: '$3' });

/** Parameters: the set, the index version, how many at most. */
export const MISSING_FEATURES = sql({
  text: `SELECT ${INDEXED_COLUMNS} FROM ${MISSING} AS features`,
  row: INDEXED_ROW,
});
