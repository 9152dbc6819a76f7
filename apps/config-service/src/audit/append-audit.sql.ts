import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameters: the records as JSON, how many days they are kept. */
export const APPEND_AUDIT = sql({
  text: `SELECT ${SCHEMA}.append_audit($1::jsonb, make_interval(days => $2))`,
  row: { append_audit: 'void' },
});
