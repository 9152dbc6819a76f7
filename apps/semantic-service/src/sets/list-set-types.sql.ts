import { boundedRow, mostRows, PAGE_ROWS, sql, withinBytes } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { type Scope } from '../projects/project.js';
import { visibleRows } from '../projects/visible-rows.js';
import { SET_TYPE_COLUMNS, SET_TYPE_ROW } from './set-rows.js';

/** What JSON adds to the texts of one. */
const BYTES_OF_ONE = 128;

const ROW = { ...boundedRow(SET_TYPE_ROW), ...PAGE_ROWS };

/**
 * Oldest first. Parameters: organization, project, uids (null = all), how many at most (null = all), how many before them,
 * the bytes.
 */
export const listSetTypes = (scope: Pick<Scope, 'organization'>) =>
  sql({
    name: `set_types_${scope.organization}`,
    text: withinBytes({
      page: `SELECT ${SET_TYPE_COLUMNS}, created_at FROM ${SCHEMA}.set_types
             WHERE ${visibleRows(scope, 'set_types')} AND ($3::uuid[] IS NULL OR uid = ANY ($3))
             ORDER BY created_at, uid LIMIT coalesce($4::int, ${mostRows(BYTES_OF_ONE)}) OFFSET $5::int`,
      columns: `page_rows::int AS page_rows, ${SET_TYPE_COLUMNS}`,
      bytes: `octet_length(coalesce(name, '') || array_to_string(tags, '')) + octet_length(coalesce(description, ''))
              + ${BYTES_OF_ONE}`,
      order: 'created_at, uid',
      maxBytes: '$6',
    }),
    row: ROW,
  });
