import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';
import { putBackSoFar } from '../backlog/relearning-position.sql.js';
import { MAX_BATCH } from '../jobs/retry-plan.js';
import { IS_RELEARNABLE } from './relearnable.js';

/** Parameter: the project. */
export const RELEARNING_COST = sql({
  text: `
WITH learned AS (
  SELECT progress.set_uid, progress.category, count(*) AS messages
  FROM ${SCHEMA}.ingestion_progress AS progress
  JOIN ${SCHEMA}.ingestion_messages AS message USING (set_uid, episode_uid)
  JOIN ${SCHEMA}.ingestion_jobs AS job USING (set_uid)
  WHERE job.project_uid = $1 AND message.project_uid = $1 AND progress.outcome = 'ingested'
    AND message.done_at IS NOT NULL
  GROUP BY progress.set_uid, progress.category
), sets AS (
  SELECT job.learned + coalesce((
    SELECT max(messages) FROM learned WHERE learned.set_uid = job.set_uid), 0) AS messages
  FROM ${SCHEMA}.ingestion_jobs AS job WHERE job.project_uid = $1
), known AS (
  SELECT coalesce(sum(messages), 0) AS messages, coalesce(sum(ceil(messages / ${MAX_BATCH}.0)), 0) AS calls FROM sets
), once AS (
  -- what was learned again was paid for more than once
  SELECT messages, calls, coalesce(messages / nullif(messages + ${putBackSoFar('$1::uuid')}, 0), 0) AS share FROM known
)
SELECT (SELECT messages FROM once)::int AS messages,
       (SELECT calls FROM once)::int AS calls,
       (SELECT count(*) FROM ${SCHEMA}.features WHERE project_uid = $1 AND ${IS_RELEARNABLE})::int AS features,
       round(coalesce(sum(input_tokens), 0) * (SELECT share FROM once))::int8 AS input_tokens,
       round(coalesce(sum(output_tokens), 0) * (SELECT share FROM once))::int8 AS output_tokens,
       round(sum(cost) * (SELECT share FROM once), 9)::text AS cost
FROM ${SCHEMA}.ingestion_usage WHERE project_uid = $1`,
  row: {
    messages: 'int4',
    calls: 'int4',
    features: 'int4',
    input_tokens: 'int8',
    output_tokens: 'int8',
    cost: 'text?',
  },
});
