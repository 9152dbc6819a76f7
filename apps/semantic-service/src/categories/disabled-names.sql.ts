import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** How many categories a set does without, and what their names take of a line of an export. Parameter: the set. */
export const DISABLED_NAMES = sql({
  text: `SELECT count(*)::int AS names, coalesce(sum(octet_length(name) + 3), 0)::float8 AS bytes
         FROM ${SCHEMA}.disabled_categories WHERE set_uid = $1`,
  row: { names: 'int4', bytes: 'float8' },
});
