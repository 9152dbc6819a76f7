import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';
import { MAX_BATCH } from './retry-plan.js';

/**
 * A statement of its own: what intake committed while the claim waited for the row belongs to it. It answers the traces
 * of the messages that come next.
 */
export const TAKE_UP_MESSAGES = sql({
  name: 'ingestion_take_up',
  text: `
WITH taken AS (
  UPDATE ${SCHEMA}.ingestion_messages SET taken_at = now()
  WHERE set_uid = $1 AND done_at IS NULL AND taken_at IS NULL)
SELECT DISTINCT unnest(traceparents) AS traceparent FROM (
  SELECT traceparents FROM ${SCHEMA}.ingestion_messages
  WHERE set_uid = $1 AND done_at IS NULL ORDER BY said_at, episode_uid LIMIT ${MAX_BATCH}) AS next`,
  row: { traceparent: 'text' },
});
