import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** One that was deleted meanwhile has no row, and gets no progress; nor does one that came under its uid since, which no claim has taken. */
const marked = (outcome: 'ingested' | 'dead'): string => `
INSERT INTO ${SCHEMA}.ingestion_progress (set_uid, episode_uid, category, outcome, attempt, letter_uid)
SELECT set_uid, episode_uid, $3, '${outcome}', $4, $5 FROM ${SCHEMA}.ingestion_messages
WHERE set_uid = $1 AND episode_uid = ANY($2::uuid[]) AND taken_at IS NOT NULL
ON CONFLICT DO NOTHING`;

/** What a category had begun with these messages. */
const FORGET_BEGUN = `
DELETE FROM ${SCHEMA}.ingestion_unfinished WHERE set_uid = $1 AND episode_uid = ANY($2::uuid[]) AND category = $3`;

/**
 * A category is through with messages: what it had begun with, and that it failed before, is forgotten. Parameters: the set,
 * the messages, the category, the attempt, the letter.
 */
export const MARK_INGESTED = sql({
  name: 'ingestion_mark',
  text: `
WITH marked AS (${marked('ingested')}), failure AS (
  DELETE FROM ${SCHEMA}.ingestion_failures WHERE set_uid = $1 AND category = $3
)
${FORGET_BEGUN}`,
});

/** A category gives messages up: what it had begun with is forgotten. Parameters as of `MARK_INGESTED`. */
export const MARK_DEAD = sql({
  name: 'ingestion_mark_dead',
  text: `WITH marked AS (${marked('dead')}) ${FORGET_BEGUN}`,
});
