import { sql } from '@loci/persistence';
import { NO_PROJECT } from '../../migrations/0102-fair-queues.js';
import { ORGS, QUEUES } from './queues.js';

/** Parameter 4: how far a claim moves the organization back. Queues are locked before organizations, as everywhere. */
export const TAKE_TURN = sql({
  name: 'ingestion_take_turn',
  text: `
WITH queue AS (
  UPDATE ${QUEUES} SET turn = turn + 1, served = served + 1
  WHERE org_id = $1 AND project_uid = coalesce($2::uuid, '${NO_PROJECT}') AND llm_name = $3 RETURNING 1)
UPDATE ${ORGS} SET turn = turn + $4::float8, served = served + 1 WHERE org_id = $1 AND (SELECT count(*) FROM queue) >= 0`,
});
