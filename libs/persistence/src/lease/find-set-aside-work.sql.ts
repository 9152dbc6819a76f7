import { sql } from '../statements/sql-statement.js';
import { WORK_LEASE, workLeases } from './work-lease-sql.js';

/** Parameters: the kind, the key. One row when it was set aside. */
export const findSetAsideWork = (schema: string) =>
  sql({
    text: `SELECT key FROM ${workLeases(schema)} WHERE kind = $1 AND key = $2 AND ${WORK_LEASE.isSetAside}`,
    row: { key: 'text' },
  });
