import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** Jobs are locked first, in the order of their uids, as everywhere. Parameter: the project. */
export const LOCK_JOBS_OF_PROJECT = sql({
  text: `SELECT set_uid FROM ${SCHEMA}.ingestion_jobs WHERE project_uid = $1 ORDER BY set_uid FOR UPDATE`,
  row: { set_uid: 'uuid' },
});
