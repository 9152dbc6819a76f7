import { sql } from '../statements/sql-statement.js';
import { WORK_LEASE, workLeases } from './work-lease-sql.js';

/** What was set aside may begin again. Parameters: the kind, the key. */
export const retryWork = (schema: string) =>
  sql({
    text: `DELETE FROM ${workLeases(schema)} WHERE kind = $1 AND key = $2 AND ${WORK_LEASE.isSetAside}`,
  });
