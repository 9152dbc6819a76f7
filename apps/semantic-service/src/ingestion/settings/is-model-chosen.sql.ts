import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** Whether any set was configured with one of these language models. Parameter: their names. */
export const IS_MODEL_CHOSEN = sql({
  name: 'ingestion_is_model_chosen',
  text: `SELECT EXISTS (SELECT FROM ${SCHEMA}.sets WHERE llm_name = ANY($1::text[])) AS is_chosen`,
  row: { is_chosen: 'bool' },
});
