import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** Messages that one statement looks at: those that come first, as categories read them in this sequence. */
export const SETTLED_AT_ONCE = 200;

/** Parameters: the set, the categories that messages must be through with. One row: how many messages were. */
export const SETTLE_MESSAGES = sql({
  name: 'ingestion_settle',
  text: `
WITH first AS MATERIALIZED (
  SELECT episode_uid FROM ${SCHEMA}.ingestion_messages
  WHERE set_uid = $1 AND done_at IS NULL AND taken_at IS NOT NULL ORDER BY said_at, episode_uid LIMIT ${SETTLED_AT_ONCE}
), through AS MATERIALIZED (
  SELECT episode_uid FROM first WHERE NOT EXISTS (
    SELECT FROM unnest($2::text[]) AS wanted(category) WHERE NOT EXISTS (
      SELECT FROM ${SCHEMA}.ingestion_progress AS progress
      WHERE progress.set_uid = $1 AND progress.episode_uid = first.episode_uid
        AND progress.category = wanted.category))
), settled AS (
  UPDATE ${SCHEMA}.ingestion_messages AS message SET done_at = now(), traceparents = NULL FROM through
  WHERE message.set_uid = $1 AND message.episode_uid = through.episode_uid
)
UPDATE ${SCHEMA}.ingestion_jobs SET waiting = waiting - messages
FROM (SELECT count(*)::int AS messages FROM through) AS counted WHERE set_uid = $1
RETURNING messages`,
  row: { messages: 'int4' },
});
