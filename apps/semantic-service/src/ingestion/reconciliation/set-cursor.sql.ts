import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** Parameters: the cursor, its position (null = the beginning), ms until the next step. */
export const SET_CURSOR = sql({
  text: `UPDATE ${SCHEMA}.ingestion_cursors
         SET position = $2, next_at = now() + $3::float8 * interval '1 ms' WHERE name = $1`,
});
