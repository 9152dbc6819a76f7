import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** Parameters: the set, the categories that messages must be through with. */
export const SETTLE_MESSAGES = sql({
  name: 'ingestion_settle',
  text: `
WITH settled AS (
  UPDATE ${SCHEMA}.ingestion_messages AS message SET done_at = now(), traceparents = NULL
  WHERE set_uid = $1 AND done_at IS NULL AND taken_at IS NOT NULL AND NOT EXISTS (
    SELECT FROM unnest($2::text[]) AS wanted(category) WHERE NOT EXISTS (
      SELECT FROM ${SCHEMA}.ingestion_progress AS progress
      WHERE progress.set_uid = $1 AND progress.episode_uid = message.episode_uid
        AND progress.category = wanted.category))
  RETURNING 1
)
UPDATE ${SCHEMA}.ingestion_jobs SET waiting = waiting - (SELECT count(*) FROM settled) WHERE set_uid = $1`,
});
