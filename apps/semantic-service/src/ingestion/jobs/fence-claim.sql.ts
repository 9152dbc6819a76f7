import { sql } from '@loci/persistence';
import { IS_HELD } from './held-claim.js';
import { JOBS } from './queues.js';

export const FENCE_CLAIM = sql({
  name: 'ingestion_fence',
  text: `SELECT set_uid FROM ${JOBS} WHERE ${IS_HELD} FOR UPDATE`,
  row: { set_uid: 'uuid' },
});
