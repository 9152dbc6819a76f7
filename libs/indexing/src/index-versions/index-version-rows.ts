import { type IndexVersion } from './index-version.js';

export interface IndexVersionRow {
  readonly uid: string;
  readonly owner_uid: string;
  readonly fingerprint: string;
  readonly dimensions: number;
  readonly embedder: string;
  readonly state: IndexVersion['state'];
}

export const INDEX_VERSION_COLUMNS = ['uid', 'owner_uid', 'fingerprint', 'dimensions', 'embedder', 'state']
  .map((column) => `index_version.${column}`)
  .join(', ');

export const toIndexVersion = ({ owner_uid: ownerUid, ...row }: IndexVersionRow): IndexVersion => ({
  uid: row.uid,
  ownerUid,
  fingerprint: row.fingerprint,
  dimensions: row.dimensions,
  embedder: row.embedder,
  state: row.state,
});
