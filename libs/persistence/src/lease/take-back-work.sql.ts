import { sql } from '../statements/sql-statement.js';
import { IS_OWN_WORK, WORK_LEASE, workLeases } from './work-lease-sql.js';

/** Parameters as of `IS_OWN_WORK`, how many attempts were unfinished before it. */
export const takeBackWork = (schema: string) =>
  sql({
    text: `UPDATE ${workLeases(schema)} SET ${WORK_LEASE.takenBack(4)} WHERE ${IS_OWN_WORK}`,
  });
