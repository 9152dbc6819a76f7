import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** What a model drew from deleted messages, without saying from which. @param condition on messages, with its parameters */
export const forgetCommands = (condition: string) =>
  sql({
    text: `
UPDATE ${SCHEMA}.ingestion_dead_letters SET commands = NULL
WHERE commands IS NOT NULL AND uid IN (
  SELECT letter_uid FROM ${SCHEMA}.ingestion_progress JOIN ${SCHEMA}.ingestion_messages USING (set_uid, episode_uid)
  WHERE ${condition} AND letter_uid IS NOT NULL)`,
  });
