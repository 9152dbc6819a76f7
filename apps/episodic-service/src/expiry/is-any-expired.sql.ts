import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Whether `TAKE_EXPIRED` has anything to take: one statement, where that one takes a transaction. */
export const IS_ANY_EXPIRED = sql({
  text: `SELECT EXISTS (
           SELECT FROM (SELECT FROM ${SCHEMA}.episodes WHERE expires_at <= now() AND deleted_at IS NULL
                        ORDER BY expires_at LIMIT 1) AS first) AS is_any`,
  row: { is_any: 'bool' },
});
