import { boundedRow, sql, withinBytes } from '@loci/persistence';
import { ADDED_AT, ADDED_ROW, FACTS_COLUMNS, INGESTED_BYTES, INGESTED_ROW, IS_LIVE } from './episode-rows.js';
import { episodesByUid } from './episodes-by-uid.js';

/** Parameters: the project, the uids, whether with their contents, the bytes. */
export const DESCRIBE_EPISODES = sql({
  name: 'describe_episodes',
  text: withinBytes({
    page: `SELECT episodes.* FROM ${episodesByUid('$1', '$2::uuid[]')} AS episodes WHERE ${IS_LIVE}`,
    columns: `CASE WHEN $3::boolean THEN content ELSE '' END AS content, ${FACTS_COLUMNS}, ${ADDED_AT}, ingested`,
    bytes: `CASE WHEN $3::boolean THEN octet_length(content) ELSE 0 END
            + octet_length(metadata::text) + ${INGESTED_BYTES}`,
    maxBytes: '$4',
  }),
  row: boundedRow({ ...ADDED_ROW, ...INGESTED_ROW, content: 'text' }),
});
