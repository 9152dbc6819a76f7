import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameters: the project, how many at most. */
export const ERASE_FEATURES = sql({
  text: `WITH erased AS (
           DELETE FROM ${SCHEMA}.features WHERE (set_uid, uid) IN (
             SELECT set_uid, uid FROM ${SCHEMA}.features WHERE project_uid = $1 LIMIT $2) RETURNING uid)
         SELECT count(*)::int AS erased FROM erased`,
  row: { erased: 'int4' },
});
