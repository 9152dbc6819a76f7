import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** Of messages that a claim has taken those that are there still, as `MARK_INGESTED` sees them. Parameters: the set, the messages. */
export const COUNT_MESSAGES_THERE = sql({
  text: `SELECT count(*)::int AS messages FROM ${SCHEMA}.ingestion_messages
         WHERE set_uid = $1 AND episode_uid = ANY($2::uuid[]) AND taken_at IS NOT NULL`,
  row: { messages: 'int4' },
});
