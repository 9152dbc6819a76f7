import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { IS_LIVE } from './feature-conditions.js';
import { FACT_COLUMNS, FACT_ROW } from './facts-by-uid.sql.js';

/** Features of a category. Parameters: the sets, the category, how many at most. */
export const SOME_OF_CATEGORY = sql({
  text: `SELECT ${FACT_COLUMNS} FROM ${SCHEMA}.features
         WHERE set_uid = ANY($1::uuid[]) AND md5(category) = md5($2) AND ${IS_LIVE} ORDER BY set_uid, created_at, uid LIMIT $3`,
  row: FACT_ROW,
});
