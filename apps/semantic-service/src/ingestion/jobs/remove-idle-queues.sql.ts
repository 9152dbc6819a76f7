import { sql } from '@loci/persistence';
import { isDueIn, JOBS, QUEUES } from './queues.js';

export const REMOVE_IDLE_QUEUES = sql({
  name: 'ingestion_remove_idle_queues',
  text: `
DELETE FROM ${QUEUES} AS queue WHERE org_id = ANY($1::text[])
  AND NOT EXISTS (SELECT FROM ${JOBS} AS job WHERE ${isDueIn({ org: 'queue.org_id', queue: 'queue' })})`,
});
