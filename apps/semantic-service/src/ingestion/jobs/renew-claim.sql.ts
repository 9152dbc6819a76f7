import { sql } from '@loci/persistence';
import { IS_HELD } from './held-claim.js';
import { JOBS, ms } from './queues.js';

export const RENEW_CLAIM = sql({
  name: 'ingestion_renew',
  text: `UPDATE ${JOBS} SET lease_until = clock_timestamp() + ${ms(3)} WHERE ${IS_HELD} RETURNING set_uid`,
  row: { set_uid: 'uuid' },
});
