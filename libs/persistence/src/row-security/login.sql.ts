import { sql } from '../statements/sql-statement.js';

/** The login of this connection, and whether row security does not apply to it. */
export const LOGIN = sql({
  text: `SELECT rolname::text AS role, rolsuper OR rolbypassrls AS "isAbove" FROM pg_roles WHERE rolname = current_user`,
  row: { role: 'text', isAbove: 'bool' },
});
