import { SCHEMA } from '../../database.js';

/** Suspects of a set that wait. Parameter 1: the set. */
export const WAITING_SUSPECTS = `${SCHEMA}.ingestion_unfinished AS unfinished
  JOIN ${SCHEMA}.ingestion_messages AS message USING (set_uid, episode_uid)
  WHERE set_uid = $1 AND batch_uid IS NOT NULL AND message.done_at IS NULL`;
