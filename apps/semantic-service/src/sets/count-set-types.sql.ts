import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Of all projects and of the organization itself. Parameter: the organization. */
export const COUNT_SET_TYPES = sql({
  text: `SELECT count(*)::int AS used FROM ${SCHEMA}.set_types WHERE org_id = $1`,
  row: { used: 'int4' },
});
