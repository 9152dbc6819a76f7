import { sql } from '../statements/sql-statement.js';
import { IS_OWN_WORK, workLeases } from './work-lease-sql.js';

/** Parameters as of `IS_OWN_WORK`. */
export const endWorkLease = (schema: string) =>
  sql({ text: `DELETE FROM ${workLeases(schema)} WHERE ${IS_OWN_WORK}` });
