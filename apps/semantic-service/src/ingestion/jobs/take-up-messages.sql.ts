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

/** Messages that one claim takes up: as many as one statement changes well within its time, and hundreds of passes read. */
export const TAKEN_UP_AT_ONCE = 10_000;

/**
 * As `NEXT_TRACES`, and takes up fresh messages, those that come first; what is more stays fresh, and makes the set due again.
 * As many as it takes at most says that there may be more, whatever was counted: deferred ones are counted before they come.
 * A statement of its own: what intake committed while the claim waited for the row belongs to it. Parameters: the set, how
 * many are taken up.
 */
export const TAKE_UP_MESSAGES = sql({
  name: 'ingestion_take_up',
  text: `
WITH first AS MATERIALIZED (
  SELECT episode_uid FROM ${SCHEMA}.ingestion_messages
  WHERE set_uid = $1 AND done_at IS NULL AND taken_at IS NULL ORDER BY said_at, episode_uid LIMIT $2
), taken AS (
  UPDATE ${SCHEMA}.ingestion_messages SET taken_at = now()
  WHERE set_uid = $1 AND episode_uid = ANY(ARRAY(SELECT episode_uid FROM first))
), counted AS (SELECT count(*)::int AS messages FROM first),
job AS (
  UPDATE ${SCHEMA}.ingestion_jobs AS job
  SET fresh = CASE WHEN messages < $2 THEN 0 ELSE greatest(1, job.fresh - messages) END,
      fresh_since = CASE WHEN messages = $2 THEN coalesce(job.fresh_since, now()) END
  FROM counted WHERE job.set_uid = $1)${TRACES}`,
  row,
});
