import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { type Scope } from '../projects/project.js';
import { visibleRows } from '../projects/visible-rows.js';
import { IS_LIVE } from './feature-conditions.js';
import { RECORD_COLUMNS, RECORD_ROW } from './feature-rows.js';

/** Parameters: organization, project, the uids. */
export const recordsByUid = (scope: Pick<Scope, 'organization'>) =>
  sql({
    name: `records_by_uid_${scope.organization}`,
    text: `SELECT ${RECORD_COLUMNS} FROM ${SCHEMA}.features
           WHERE ${visibleRows(scope, 'features')} AND uid = ANY($3::uuid[]) AND ${IS_LIVE} ORDER BY created_at, uid`,
    row: RECORD_ROW,
  });
