import { sql } from '../statements/sql-statement.js';

/** Parameter: the name of a table with that of its schema. */
export const TABLE_EXISTS = sql({
  text: 'SELECT to_regclass($1) IS NOT NULL AS exists',
  row: { exists: 'bool' },
});
