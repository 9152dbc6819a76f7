import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** What the names of the categories that a set does without take of a line of an export. Parameter: the set. */
export const DISABLED_BYTES = sql({
  text: `SELECT coalesce(sum(octet_length(name) + 3), 0)::float8 AS bytes FROM ${SCHEMA}.disabled_categories
         WHERE set_uid = $1`,
  row: { bytes: 'float8' },
});
