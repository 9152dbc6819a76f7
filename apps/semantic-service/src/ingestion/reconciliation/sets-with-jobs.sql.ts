import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';
import { SET_COLUMNS, SET_ROW } from '../../sets/set-rows.js';

/** By uid. Parameters: behind which uid, how many at most. */
export const SETS_WITH_JOBS = sql({
  text: `SELECT ${SET_COLUMNS} FROM ${SCHEMA}.ingestion_jobs AS job JOIN ${SCHEMA}.sets ON sets.uid = job.set_uid
         WHERE job.set_uid > $1::uuid ORDER BY job.set_uid LIMIT $2`,
  row: SET_ROW,
});
