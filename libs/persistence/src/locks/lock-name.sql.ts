import { sql } from '../statements/sql-statement.js';

/** Parameters: a name, and a number that keeps names of one use apart from those of another. */
export const LOCK_NAME = sql({
  text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, $2))',
  row: { pg_advisory_xact_lock: 'void' },
});
