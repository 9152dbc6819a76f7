import { SCHEMA } from '../database.js';
import { type IndexSpace } from './index-space.js';

export const SPACES = `${SCHEMA}.index_spaces`;

export interface SpaceRow {
  readonly uid: string;
  readonly project_uid: string;
  readonly fingerprint: string;
  readonly dimensions: number;
  readonly embedder: string;
  readonly state: IndexSpace['state'];
}

export const SPACE_COLUMNS = ['uid', 'project_uid', 'fingerprint', 'dimensions', 'embedder', 'state']
  .map((column) => `space.${column}`)
  .join(', ');

export const toSpace = ({ project_uid: projectUid, ...row }: SpaceRow): IndexSpace => ({
  uid: row.uid,
  projectUid,
  fingerprint: row.fingerprint,
  dimensions: row.dimensions,
  embedder: row.embedder,
  state: row.state,
});
