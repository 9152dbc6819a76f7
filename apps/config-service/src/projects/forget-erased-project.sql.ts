import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Frees the name of a deleted project that every holder has erased. Parameter: its uid. */
export const FORGET_ERASED_PROJECT = sql({
  text: `DELETE FROM ${SCHEMA}.projects WHERE uid = $1 AND deleted_at IS NOT NULL AND pending_erasures = '{}'`,
});
