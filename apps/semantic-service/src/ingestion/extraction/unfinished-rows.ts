import { SCHEMA } from '../../database.js';

/**
 * Suspects of a set that wait. Each message is looked up by its key: a join PostgreSQL would plan by what it knew of the backlog
 * when it was empty, as it is before every burst, and read all of it. Parameter 1: the set.
 */
export const WAITING_SUSPECTS = `(
    SELECT * FROM ${SCHEMA}.ingestion_unfinished WHERE set_uid = $1 AND batch_uid IS NOT NULL) AS unfinished
  CROSS JOIN LATERAL (
    SELECT org_id, project_id, project_uid, said_at, done_at FROM ${SCHEMA}.ingestion_messages AS waiting
    WHERE waiting.set_uid = unfinished.set_uid AND waiting.episode_uid = unfinished.episode_uid LIMIT 1) AS message
  WHERE message.done_at IS NULL`;
