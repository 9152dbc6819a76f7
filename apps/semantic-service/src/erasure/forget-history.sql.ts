import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Forgets changes that were drawn from episodes. Parameter: their uids. */
export const FORGET_HISTORY = sql({
  text: `DELETE FROM ${SCHEMA}.feature_history WHERE episodes && $1::uuid[]`,
});
