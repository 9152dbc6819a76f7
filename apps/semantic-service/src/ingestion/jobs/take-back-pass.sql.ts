import { sql } from '@loci/persistence';
import { JOBS } from './queues.js';

export const TAKE_BACK_PASS = sql({
  name: 'ingestion_take_back',
  text: `UPDATE ${JOBS} SET unfinished = $3 WHERE set_uid = $1 AND attempt = $2`,
});
