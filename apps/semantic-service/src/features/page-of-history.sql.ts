import { firstWithinBytes, PAGE_ROWS, sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { type Scope } from '../projects/project.js';
import { visibleRows } from '../projects/visible-rows.js';
import { HISTORY_COLUMNS, LISTED_BYTES, LISTED_COLUMNS, LISTED_ROW } from './history-rows.js';

/**
 * Newest first, as many as fit into the bytes. Parameters: organization, project, the feature, how many at most, the bytes, and
 * with `hasBegun` the entry behind which to go on.
 */
export const pageOfHistory = (scope: Pick<Scope, 'organization'>, hasBegun: boolean) =>
  sql({
    text: firstWithinBytes({
      page: `SELECT ${HISTORY_COLUMNS} FROM ${SCHEMA}.feature_history
             WHERE ${visibleRows(scope, 'feature_history')} AND feature_uid = $3
             ${hasBegun ? 'AND feature_history.uid < $6' : ''}
             ORDER BY feature_history.uid DESC LIMIT $4`,
      columns: `${LISTED_COLUMNS}, page_rows`,
      bytes: LISTED_BYTES,
      order: ['uid DESC'],
      maxBytes: '$5',
    }),
    row: { ...LISTED_ROW, ...PAGE_ROWS },
  });
