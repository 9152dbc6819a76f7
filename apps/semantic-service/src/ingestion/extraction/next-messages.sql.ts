import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';
import { MESSAGE_COLUMNS, MESSAGE_ROW } from './message-rows.js';

/** Parameters: the set, the category, how many at most. */
export const NEXT_MESSAGES = sql({
  name: 'ingestion_next',
  text: `
SELECT ${MESSAGE_COLUMNS} FROM ${SCHEMA}.ingestion_messages AS message
WHERE set_uid = $1 AND done_at IS NULL AND taken_at IS NOT NULL AND NOT EXISTS (
  SELECT FROM ${SCHEMA}.ingestion_progress AS progress
  WHERE progress.set_uid = $1 AND progress.episode_uid = message.episode_uid AND category = $2)
  AND NOT EXISTS (
  SELECT FROM ${SCHEMA}.ingestion_unfinished AS unfinished
  WHERE unfinished.set_uid = $1 AND unfinished.episode_uid = message.episode_uid AND category = $2
    AND batch_uid IS NOT NULL)
ORDER BY said_at, episode_uid LIMIT $3`,
  row: MESSAGE_ROW,
});
