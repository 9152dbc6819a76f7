import { sql } from '@loci/persistence';
import { JOB_LEASE } from './job-lease.js';
import { JOBS } from './queues.js';

export const TAKE_BACK_PASS = sql({
  name: 'ingestion_take_back',
  text: `UPDATE ${JOBS} SET ${JOB_LEASE.takenBack(3)} WHERE set_uid = $1 AND ${JOB_LEASE.isOwner(2)}`,
});
