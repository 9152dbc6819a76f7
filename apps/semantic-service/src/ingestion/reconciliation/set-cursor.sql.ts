import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/**
 * A step that another replica has taken meanwhile sets nothing back. Parameters: the cursor, where the step began, its
 * position now (null = the beginning), ms until the next step.
 */
export const SET_CURSOR = sql({
  text: `UPDATE ${SCHEMA}.ingestion_cursors
         SET position = $3, next_at = now() + $4::float8 * interval '1 ms'
         WHERE name = $1 AND position IS NOT DISTINCT FROM $2::text[]`,
});
