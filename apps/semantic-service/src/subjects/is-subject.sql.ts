import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { IS_LIVE } from '../features/feature-conditions.js';
import { type Scope } from '../projects/project.js';
import { visibleRows } from '../projects/visible-rows.js';

/**
 * Whether any feature, whenever it held, is about someone: in each set one look into the index `features_of_subject`.
 * Parameters: organization, project, the subject.
 */
export const isSubject = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `
SELECT EXISTS (
  SELECT FROM ${SCHEMA}.sets WHERE ${visibleRows(scope, 'sets')} AND EXISTS (
    SELECT FROM ${SCHEMA}.features WHERE features.set_uid = sets.uid AND features.subject = $3
      AND ${visibleRows(scope, 'features')} AND ${IS_LIVE})) AS found`,
    row: { found: 'bool' },
  });
