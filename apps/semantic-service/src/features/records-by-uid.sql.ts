import { sql } from '@loci/persistence';
import { type Scope } from '../projects/project.js';
import { visibleRows } from '../projects/visible-rows.js';
import { BOUNDED_RECORD_ROW, boundedRecords } from './bounded-records.js';
import { IS_LIVE } from './feature-conditions.js';

/** Parameters: organization, project, the uids, the most bytes. */
export const recordsByUid = (scope: Pick<Scope, 'organization'>) =>
  sql({
    name: `records_by_uid_${scope.organization}`,
    text: boundedRecords(`${visibleRows(scope, 'features')} AND uid = ANY($3::uuid[]) AND ${IS_LIVE}`, '$4'),
    row: BOUNDED_RECORD_ROW,
  });
