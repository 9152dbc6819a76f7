import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/**
 * A message that was deleted meanwhile has no row. Parameters: the set, the messages, the category, the batch, failures, ms
 * until they may be tried again, the code, the reason.
 */
export const SUSPECT_MESSAGES = sql({
  name: 'ingestion_suspect',
  text: `
INSERT INTO ${SCHEMA}.ingestion_unfinished (set_uid, episode_uid, category, batch_uid, failures, retry_at, code, reason)
SELECT set_uid, episode_uid, $3, $4, $5, now() + $6::float8 * interval '1 ms', $7, $8
FROM ${SCHEMA}.ingestion_messages WHERE set_uid = $1 AND episode_uid = ANY($2::uuid[]) AND taken_at IS NOT NULL
ON CONFLICT (set_uid, episode_uid, category) DO UPDATE
SET batch_uid = excluded.batch_uid, failures = excluded.failures, retry_at = excluded.retry_at,
    code = excluded.code, reason = excluded.reason`,
});
