import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** What was sent to the webhooks of a project. Parameters: its uid, how many at most. */
export const REMOVE_PROJECT_DELIVERIES = sql({
  text: `WITH gone AS (
           SELECT d.webhook_id, d.position FROM ${SCHEMA}.webhooks AS w
           JOIN ${SCHEMA}.webhook_deliveries AS d ON d.webhook_id = w.id
           WHERE w.project_uid = $1 LIMIT $2 FOR UPDATE OF d SKIP LOCKED),
         removed AS (DELETE FROM ${SCHEMA}.webhook_deliveries AS d USING gone
           WHERE d.webhook_id = gone.webhook_id AND d.position = gone.position RETURNING 1)
         SELECT count(*)::int AS removed FROM removed`,
  row: { removed: 'int4' },
});
