import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Keeps a category from being removed. Parameter: its uid. */
export const KEEP_CATEGORY = sql({
  name: 'category_keep',
  text: `SELECT uid FROM ${SCHEMA}.categories WHERE uid = $1 FOR KEY SHARE`,
  row: { uid: 'uuid' },
});
