import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Those of the uids that name a feature of any tenant. Parameter: uids. */
export const TAKEN_FEATURES = sql({
  text: `SELECT uid FROM ${SCHEMA}.features WHERE uid = ANY($1::uuid[])`,
  row: { uid: 'uuid' },
});
