import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameter: the category. */
export const COUNT_TAGS = sql({
  text: `SELECT count(*)::int AS tags FROM ${SCHEMA}.category_tags WHERE category_uid = $1`,
  row: { tags: 'int4' },
});
