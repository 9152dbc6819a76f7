import { sql } from '../statements/sql-statement.js';

/** Parameters as of `LOCK_NAME`. Does not wait. */
export const TRY_LOCK_NAME = sql({
  text: 'SELECT pg_try_advisory_xact_lock(hashtextextended($1, $2)) AS locked',
  row: { locked: 'bool' },
});
