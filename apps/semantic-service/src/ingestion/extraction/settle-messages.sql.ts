import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** Messages that one statement looks at: those that come first, as categories read them in this sequence. */
export const SETTLED_AT_ONCE = 200;

/** Parameters: the set, the categories, each once, that messages must be through with. One row: how many messages were. */
export const SETTLE_MESSAGES = sql({
  name: 'ingestion_settle',
  text: `
WITH first AS MATERIALIZED (
  SELECT episode_uid FROM ${SCHEMA}.ingestion_messages
  WHERE set_uid = $1 AND done_at IS NULL AND taken_at IS NOT NULL ORDER BY said_at, episode_uid LIMIT ${SETTLED_AT_ONCE}
), through AS MATERIALIZED (
  SELECT episode_uid FROM first WHERE cardinality($2::text[]) = (
    SELECT count(*) FROM ${SCHEMA}.ingestion_progress AS progress
    WHERE progress.set_uid = $1 AND progress.episode_uid = first.episode_uid AND progress.category = ANY($2::text[]))
), settled AS (
  UPDATE ${SCHEMA}.ingestion_messages SET done_at = now(), traceparents = NULL
  WHERE set_uid = $1 AND episode_uid = ANY(ARRAY(SELECT episode_uid FROM through))
)
UPDATE ${SCHEMA}.ingestion_jobs SET waiting = waiting - messages
FROM (SELECT count(*)::int AS messages FROM through) AS counted WHERE set_uid = $1
RETURNING messages`,
  row: { messages: 'int4' },
});
