import { firstWithinBytes, PAGE_ROWS, sql, type SqlPredicate } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { EPISODE_BYTES, EPISODE_COLUMNS, EPISODE_ORDER, EPISODE_ROW, IS_LIVE } from './episode-rows.js';

/**
 * As many as fit into the bytes. Parameters: the project, from 2 on those of the predicate, then how many at most, the bytes,
 * and with `hasBegun` the time and the uid behind which to go on.
 */
export function listEpisodesFrom({ sql: matches, parameters }: SqlPredicate, hasBegun: boolean) {
  const next = parameters.length + 2;
  return sql({
    text: firstWithinBytes({
      page: `SELECT * FROM ${SCHEMA}.episodes WHERE project_uid = $1 AND ${IS_LIVE} AND ${matches}
             ${hasBegun ? `AND (created_at, uid) > ($${next + 2}::timestamptz, $${next + 3}::uuid)` : ''}
             ORDER BY created_at, uid LIMIT $${next}`,
      columns: `${EPISODE_COLUMNS}, page_rows`,
      bytes: EPISODE_BYTES,
      order: EPISODE_ORDER,
      maxBytes: `$${next + 1}`,
    }),
    row: { ...EPISODE_ROW, ...PAGE_ROWS },
  });
}
