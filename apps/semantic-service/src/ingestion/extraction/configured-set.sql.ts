import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';
import { SET_COLUMNS, SET_ROW } from '../../sets/set-rows.js';

/** Parameter: the set. */
export const CONFIGURED_SET = sql({
  name: 'ingestion_set',
  text: `SELECT ${SET_COLUMNS}, sets.llm_name FROM ${SCHEMA}.sets WHERE uid = $1`,
  row: { ...SET_ROW, llm_name: 'text?' },
});
