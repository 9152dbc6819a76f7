import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Those of the uids that are registered. Parameter: uids. */
export const KNOWN_SETS = sql({
  name: 'known_sets',
  text: `SELECT uid FROM ${SCHEMA}.sets WHERE uid = ANY($1::uuid[])`,
  row: { uid: 'uuid' },
});
