import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';
import { MESSAGE_COLUMNS, MESSAGE_ROW } from './message-rows.js';

/**
 * Whether a row of a message is there. As a value, which PostgreSQL finds by the key of each message: it would make a join of
 * EXISTS, and choose how by what it knew of the tables when they were empty, as they are before every burst.
 * @param table with the columns `set_uid`, `episode_uid` and `category`
 */
const isIn = (table: string, condition = ''): string =>
  `coalesce((SELECT true FROM ${SCHEMA}.${table} AS noted
    WHERE noted.set_uid = $1 AND noted.episode_uid = message.episode_uid AND noted.category = $2${condition}), false)`;

/** Parameters: the set, the category, how many at most. */
export const NEXT_MESSAGES = sql({
  name: 'ingestion_next',
  text: `
SELECT ${MESSAGE_COLUMNS} FROM ${SCHEMA}.ingestion_messages AS message
WHERE set_uid = $1 AND done_at IS NULL AND taken_at IS NOT NULL
  AND NOT ${isIn('ingestion_progress')}
  AND NOT ${isIn('ingestion_unfinished', ' AND noted.batch_uid IS NOT NULL')}
ORDER BY said_at, episode_uid LIMIT $3`,
  row: MESSAGE_ROW,
});
