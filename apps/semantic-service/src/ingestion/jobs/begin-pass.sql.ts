import { sql } from '@loci/persistence';
import { IS_HELD } from './held-claim.js';
import { JOB_LEASE } from './job-lease.js';
import { JOBS } from './queues.js';

export const BEGIN_PASS = sql({
  name: 'ingestion_begin',
  text: `UPDATE ${JOBS} SET ${JOB_LEASE.begun} WHERE ${IS_HELD} RETURNING set_uid`,
  row: { set_uid: 'uuid' },
});
