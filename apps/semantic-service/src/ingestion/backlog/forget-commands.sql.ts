import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** Of a letter whose commands are forgotten: reasons quote what a model wrote. */
export const FORGOTTEN_REASON =
  'Commands were refused; what they said is forgotten with a message that was deleted.';

/**
 * What a model drew from deleted messages, without saying from which. It answers the dead letters that they are of.
 * @param condition on messages, with its parameters
 */
export const forgetCommands = (condition: string) =>
  sql({
    text: `
WITH letters AS (
  SELECT DISTINCT letter_uid AS uid
  FROM ${SCHEMA}.ingestion_progress JOIN ${SCHEMA}.ingestion_messages USING (set_uid, episode_uid)
  WHERE ${condition} AND letter_uid IS NOT NULL
), forgotten AS (
  UPDATE ${SCHEMA}.ingestion_dead_letters SET commands = NULL, reason = '${FORGOTTEN_REASON}'
  WHERE commands IS NOT NULL AND uid IN (SELECT uid FROM letters)
)
SELECT uid FROM ${SCHEMA}.ingestion_dead_letters WHERE uid IN (SELECT uid FROM letters)`,
    row: { uid: 'uuid' },
  });
