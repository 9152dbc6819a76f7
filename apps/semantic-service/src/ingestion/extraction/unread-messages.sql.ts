import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** Those of some messages of which a model made nothing, in any category: suspects, and what was given up. Parameters: the set, the messages. */
export const UNREAD_MESSAGES = sql({
  name: 'ingestion_unread',
  text: `
SELECT episode_uid FROM ${SCHEMA}.ingestion_unfinished
WHERE set_uid = $1 AND episode_uid = ANY($2::uuid[]) AND batch_uid IS NOT NULL
UNION
SELECT episode_uid FROM ${SCHEMA}.ingestion_progress
WHERE set_uid = $1 AND episode_uid = ANY($2::uuid[]) AND outcome = 'dead'`,
  row: { episode_uid: 'uuid' },
});
