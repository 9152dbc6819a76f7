import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';
import { MAX_BATCH } from './retry-plan.js';

const TRACES = `
SELECT DISTINCT unnest(traceparents) AS traceparent FROM (
  SELECT traceparents FROM ${SCHEMA}.ingestion_messages
  WHERE set_uid = $1 AND done_at IS NULL ORDER BY said_at, episode_uid LIMIT ${MAX_BATCH}) AS next`;

const row = { traceparent: 'text' } as const;

/** The traces of the messages that come next. Parameter: the set. */
export const NEXT_TRACES = sql({ name: 'ingestion_next_traces', text: TRACES, row });

/**
 * As `NEXT_TRACES`, and takes up what is fresh, which reads all that waits. A statement of its own: what intake committed
 * while the claim waited for the row belongs to it.
 */
export const TAKE_UP_MESSAGES = sql({
  name: 'ingestion_take_up',
  text: `
WITH taken AS (
  UPDATE ${SCHEMA}.ingestion_messages SET taken_at = now()
  WHERE set_uid = $1 AND done_at IS NULL AND taken_at IS NULL)${TRACES}`,
  row,
});
