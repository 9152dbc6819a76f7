import { sql } from '../statements/sql-statement.js';
import { IS_OWN_WORK, WORK_LEASE, workLeases } from './work-lease-sql.js';

/** Parameters as of `IS_OWN_WORK`, milliseconds. No row when the claim is lost. */
export const renewWorkLease = (schema: string) =>
  sql({
    text: `UPDATE ${workLeases(schema)} SET ${WORK_LEASE.renewed(4)} WHERE ${IS_OWN_WORK} RETURNING key`,
    row: { key: 'text' },
  });
