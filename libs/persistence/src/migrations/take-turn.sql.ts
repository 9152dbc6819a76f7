import { sql } from '../statements/sql-statement.js';

/**
 * Whether it is now the turn of this session to migrate, until it ends. Parameter: a name for the schema.
 *
 * It does not wait: a statement that waits keeps its snapshot, for the end of which an index that is built in use waits.
 */
export const TAKE_TURN = sql({
  text: 'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken',
  row: { taken: 'bool' },
});
