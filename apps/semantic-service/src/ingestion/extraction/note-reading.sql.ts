import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/**
 * What was read is no suspect any more. Parameters: the set, the message, the category, where the next part begins, how many
 * tokens it may have, the refused commands.
 */
export const NOTE_READING = sql({
  name: 'ingestion_note_reading',
  text: `
INSERT INTO ${SCHEMA}.ingestion_unfinished (set_uid, episode_uid, category, read_until, part_tokens, refused)
SELECT set_uid, episode_uid, $3, $4, $5, $6::jsonb
FROM ${SCHEMA}.ingestion_messages WHERE set_uid = $1 AND episode_uid = $2 AND taken_at IS NOT NULL
ON CONFLICT (set_uid, episode_uid, category) DO UPDATE
SET read_until = excluded.read_until, part_tokens = excluded.part_tokens, refused = excluded.refused, failures = 0,
    batch_uid = NULL, retry_at = NULL, code = NULL, reason = NULL`,
});
