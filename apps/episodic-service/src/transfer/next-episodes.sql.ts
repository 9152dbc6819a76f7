import { firstWithinBytes, sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import {
  EPISODE_BYTES,
  EPISODE_COLUMNS,
  EPISODE_ORDER,
  EPISODE_ROW,
  INGESTED_BYTES,
  INGESTED_ROW,
  IS_LIVE,
} from '../episodes/episode-rows.js';

/** Bounds what one page reads, however short the episodes are. */
const MAX_PAGE_EPISODES = 500;

/**
 * By time, then uid. Parameters: the project, the bytes of all together (the first is always there), and with `hasBegun`
 * the time and the uid behind which to go on.
 */
export const nextEpisodes = (hasBegun: boolean) =>
  sql({
    text: firstWithinBytes({
      page: `SELECT * FROM ${SCHEMA}.episodes
             WHERE project_uid = $1 AND ${IS_LIVE} ${hasBegun ? 'AND (created_at, uid) > ($3::timestamptz, $4::uuid)' : ''}
             ORDER BY created_at, uid LIMIT ${MAX_PAGE_EPISODES}`,
      columns: `${EPISODE_COLUMNS}, ingested, in_short_term OR in_long_term AS is_episodic, is_semantic`,
      bytes: `${EPISODE_BYTES} + ${INGESTED_BYTES}`,
      order: EPISODE_ORDER,
      maxBytes: '$2',
    }),
    row: { ...EPISODE_ROW, ...INGESTED_ROW, is_episodic: 'bool', is_semantic: 'bool' },
  });
