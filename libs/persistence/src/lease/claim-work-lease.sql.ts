import { sql } from '../statements/sql-statement.js';
import { WORK_LEASE, workLeases } from './work-lease-sql.js';

/** Parameters: the kind, the key, milliseconds. No row when another worker has it, or it was set aside. */
export const claimWorkLease = (schema: string) =>
  sql({
    text: `UPDATE ${workLeases(schema)} SET ${WORK_LEASE.claimed(3)}, ${WORK_LEASE.begun}
           WHERE kind = $1 AND key = $2 AND ${WORK_LEASE.isFree} AND ${WORK_LEASE.mayBegin}
           RETURNING ${WORK_LEASE.token} AS token, ${WORK_LEASE.unfinishedBefore} AS unfinished`,
    row: { token: 'text', unfinished: 'int4' },
  });
