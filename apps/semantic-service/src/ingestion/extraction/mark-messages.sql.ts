import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/**
 * A category is through with messages. One that was deleted meanwhile has no row, and gets no progress; nor does one that
 * came under its uid since, which no claim has taken. Parameters: the set, the messages, the category, the outcome, the
 * attempt, the letter.
 */
export const MARK_MESSAGES = sql({
  name: 'ingestion_mark',
  text: `
INSERT INTO ${SCHEMA}.ingestion_progress (set_uid, episode_uid, category, outcome, attempt, letter_uid)
SELECT set_uid, episode_uid, $3, $4, $5, $6 FROM ${SCHEMA}.ingestion_messages
WHERE set_uid = $1 AND episode_uid = ANY($2::uuid[]) AND taken_at IS NOT NULL
ON CONFLICT DO NOTHING`,
});
