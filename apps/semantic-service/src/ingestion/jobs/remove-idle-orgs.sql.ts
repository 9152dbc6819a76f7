import { sql } from '@loci/persistence';
import { ORGS, QUEUES } from './queues.js';

export const REMOVE_IDLE_ORGS = sql({
  name: 'ingestion_remove_idle_orgs',
  text: `
DELETE FROM ${ORGS} AS org WHERE org_id = ANY($1::text[])
  AND NOT EXISTS (SELECT FROM ${QUEUES} AS queue WHERE queue.org_id = org.org_id)`,
});
