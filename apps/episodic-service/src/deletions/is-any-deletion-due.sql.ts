import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { IS_DUE } from './deletion-rows.js';

/** Whether the step of a deletion is due: one look, where `CLAIM_DELETION` has two for each organization. */
export const IS_ANY_DELETION_DUE = sql({
  text: `SELECT EXISTS (
           SELECT FROM (SELECT FROM ${SCHEMA}.deletions WHERE ${IS_DUE}
                        ORDER BY next_at LIMIT 1) AS first) AS is_any`,
  row: { is_any: 'bool' },
});
