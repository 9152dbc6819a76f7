import { narrowed, sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';
import { type RefusedCommand } from './extraction-reply.js';

/** Parameters: the set, the message, the category. */
export const FIND_READING = sql({
  name: 'ingestion_reading',
  text: `
SELECT read_until, part_tokens, refused FROM ${SCHEMA}.ingestion_unfinished
WHERE set_uid = $1 AND episode_uid = $2 AND category = $3`,
  row: { read_until: 'int4', part_tokens: 'int4?', refused: narrowed<readonly RefusedCommand[]>('jsonb') },
});
