import { type IndexSpace } from './index-space.js';

export interface SpaceRow {
  readonly uid: string;
  readonly owner_uid: string;
  readonly fingerprint: string;
  readonly dimensions: number;
  readonly embedder: string;
  readonly state: IndexSpace['state'];
}

export const SPACE_COLUMNS = ['uid', 'owner_uid', 'fingerprint', 'dimensions', 'embedder', 'state']
  .map((column) => `space.${column}`)
  .join(', ');

export const toSpace = ({ owner_uid: ownerUid, ...row }: SpaceRow): IndexSpace => ({
  uid: row.uid,
  ownerUid,
  fingerprint: row.fingerprint,
  dimensions: row.dimensions,
  embedder: row.embedder,
  state: row.state,
});
