import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Calls of models that show features, or made them. Parameter: the uids of these. */
export const FORGET_MODEL_CALLS_OF = sql({
  name: 'forget_model_calls_of',
  text: `DELETE FROM ${SCHEMA}.model_calls WHERE feature_uids && $1::uuid[]`,
});
