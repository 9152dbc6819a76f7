import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Whether the step of a deletion is due: one statement, where `TAKE_DELETION` takes a transaction. */
export const IS_ANY_DELETION_DUE = sql({
  text: `SELECT EXISTS (
           SELECT FROM (SELECT FROM ${SCHEMA}.deletions WHERE state <> 'done' AND next_at <= now()
                        ORDER BY next_at LIMIT 1) AS first) AS is_any`,
  row: { is_any: 'bool' },
});
