import { sql } from '@loci/persistence';
import { IS_HELD } from './held-claim.js';
import { JOB_LEASE } from './job-lease.js';
import { JOBS } from './queues.js';

export const RENEW_CLAIM = sql({
  name: 'ingestion_renew',
  text: `UPDATE ${JOBS} SET ${JOB_LEASE.renewed(3)} WHERE ${IS_HELD} RETURNING set_uid`,
  row: { set_uid: 'uuid' },
});
