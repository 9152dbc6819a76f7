import { boundedRow, sql, type SqlPredicate, withinBytes } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { EPISODE_BYTES, EPISODE_COLUMNS, EPISODE_ROW, IS_LIVE } from './episode-rows.js';

/** Parameters: the project, from 2 on those of the predicate, then how many at most, how many to pass over, and the bytes. */
export function listEpisodes({ sql: matches, parameters }: SqlPredicate) {
  const next = parameters.length + 2;
  return sql({
    text: withinBytes({
      page: `SELECT * FROM ${SCHEMA}.episodes WHERE project_uid = $1 AND ${IS_LIVE} AND ${matches}
             ORDER BY created_at, uid LIMIT $${next} OFFSET $${next + 1}`,
      columns: EPISODE_COLUMNS,
      bytes: EPISODE_BYTES,
      order: 'page.created_at, page.uid',
      maxBytes: `$${next + 2}`,
    }),
    row: boundedRow(EPISODE_ROW),
  });
}
