import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameter: the set. */
export const DISABLED_NAMES = sql({
  name: 'disabled_categories',
  text: `SELECT name FROM ${SCHEMA}.disabled_categories WHERE set_uid = $1`,
  row: { name: 'text' },
});
