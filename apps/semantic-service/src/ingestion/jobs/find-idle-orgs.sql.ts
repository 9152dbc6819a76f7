import { sql } from '@loci/persistence';
import { isIdle, ORGS, QUEUES } from './queues.js';

/** Organizations among those with the lowest turns where a queue is empty, or has nothing due: claims pass over these. */
export const FIND_IDLE_ORGS = sql({
  name: 'ingestion_find_idle',
  text: `
SELECT org_id FROM (SELECT org_id FROM ${ORGS} ORDER BY turn, served, org_id LIMIT $1) AS org
WHERE (SELECT queue.org_id FROM ${QUEUES} AS queue WHERE queue.org_id = org.org_id LIMIT 1) IS NULL OR EXISTS (
  SELECT FROM (SELECT * FROM ${QUEUES} AS queue WHERE queue.org_id = org.org_id
               ORDER BY turn, served, project_uid, llm_name LIMIT $1) AS queue
  WHERE ${isIdle({ org: 'queue.org_id', queue: 'queue' })})
ORDER BY org_id`,
  row: { org_id: 'text' },
});
