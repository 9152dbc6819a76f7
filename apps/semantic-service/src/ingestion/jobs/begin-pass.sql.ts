import { sql } from '@loci/persistence';
import { IS_HELD } from './held-claim.js';
import { JOBS } from './queues.js';

export const BEGIN_PASS = sql({
  name: 'ingestion_begin',
  text: `UPDATE ${JOBS} SET unfinished = $3::int + 1 WHERE ${IS_HELD} RETURNING set_uid`,
  row: { set_uid: 'uuid' },
});
