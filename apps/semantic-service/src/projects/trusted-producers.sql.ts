import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameter: uids of projects. */
export const TRUSTED_PRODUCERS = sql({
  name: 'trusted_producers',
  text: `SELECT uid, trusted_producers FROM ${SCHEMA}.projects WHERE uid = ANY($1::uuid[])`,
  row: { uid: 'uuid', trusted_producers: 'text[]' },
});
