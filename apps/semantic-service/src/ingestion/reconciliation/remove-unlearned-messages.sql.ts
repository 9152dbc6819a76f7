import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

const MESSAGES = `${SCHEMA}.ingestion_messages`;

/** Messages that are done although no category was at work on them. Parameters: sets that learn nothing, how many at most. */
export const REMOVE_UNLEARNED_MESSAGES = sql({
  text: `
DELETE FROM ${MESSAGES} AS message USING (
  SELECT set_uid, episode_uid FROM ${MESSAGES} AS done
  WHERE set_uid = ANY($1::uuid[]) AND done_at IS NOT NULL AND NOT EXISTS (
    SELECT FROM ${SCHEMA}.ingestion_progress AS progress
    WHERE progress.set_uid = done.set_uid AND progress.episode_uid = done.episode_uid)
  LIMIT $2) AS unlearned
WHERE message.set_uid = unlearned.set_uid AND message.episode_uid = unlearned.episode_uid
RETURNING message.set_uid`,
  row: { set_uid: 'uuid' },
});
