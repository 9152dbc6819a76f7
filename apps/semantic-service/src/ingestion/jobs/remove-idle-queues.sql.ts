import { sql } from '@loci/persistence';
import { isIdle, QUEUES } from './queues.js';

export const REMOVE_IDLE_QUEUES = sql({
  name: 'ingestion_remove_idle_queues',
  text: `
DELETE FROM ${QUEUES} AS queue WHERE org_id = ANY($1::text[])
  AND ${isIdle({ org: 'queue.org_id', queue: 'queue' })}`,
});
