import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameters: the uid of the record that says so, how many days that is kept, how many records to remove at most. */
export const REMOVE_EXPIRED_AUDIT = sql({
  text: `SELECT ${SCHEMA}.remove_expired_audit($1, make_interval(days => $2), $3) AS removed`,
  row: { removed: 'int4' },
});
