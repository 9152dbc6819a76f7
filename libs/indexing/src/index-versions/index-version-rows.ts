import { narrowed, rowColumns, type RowOf } from '@loci/persistence';
import { type IndexVersion } from './index-version.js';

export const INDEX_VERSION_COLUMNS = ['uid', 'owner_uid', 'fingerprint', 'dimensions', 'embedder', 'state']
  .map((column) => `index_version.${column}`)
  .join(', ');

/** The columns of `INDEX_VERSION_COLUMNS`. */
export const INDEX_VERSION_ROW = rowColumns({
  uid: 'uuid',
  owner_uid: 'uuid',
  fingerprint: 'text',
  dimensions: 'int4',
  embedder: 'text',
  state: narrowed<IndexVersion['state']>('text'),
});

export const toIndexVersion = (row: RowOf<typeof INDEX_VERSION_ROW>): IndexVersion => ({
  uid: row.uid,
  ownerUid: row.owner_uid,
  fingerprint: row.fingerprint,
  dimensions: row.dimensions,
  embedder: row.embedder,
  state: row.state,
});
