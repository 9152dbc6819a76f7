import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Features of a category that messages removed do not come back when these are deleted. Parameters: the sets, the category. */
export const FORGET_REMOVALS = sql({
  text: `UPDATE ${SCHEMA}.feature_history SET said_by = NULL
         WHERE set_uid = ANY($1::uuid[]) AND said_by IS NOT NULL AND before ->> 'category' = $2`,
});
