import { type Instant } from '@loci/contracts';
import { narrowed, rowColumns, type RowOf } from '@loci/persistence';
import { instantText } from '../database.js';
import { FEATURE_COLUMNS, FEATURE_ROW, toFeature } from '../features/feature-rows.js';
import { type IndexedFeature } from './feature-points.js';

export const INDEXED_COLUMNS = `${FEATURE_COLUMNS}, ${instantText('features.created_at')} AS created_at`;

/** The columns of `INDEXED_COLUMNS`. */
export const INDEXED_ROW = rowColumns({ ...FEATURE_ROW, created_at: narrowed<Instant>('text') });

export const toIndexed = (row: RowOf<typeof INDEXED_ROW>): IndexedFeature => ({
  ...toFeature(row),
  createdAt: row.created_at,
});
