import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Forgets calls of models that show what episodes say. Parameter: their uids. */
export const FORGET_MODEL_CALLS = sql({
  text: `DELETE FROM ${SCHEMA}.model_calls WHERE episode_uids && $1::uuid[]`,
});
