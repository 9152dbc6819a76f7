import { rowColumns, sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { type Scope } from '../projects/project.js';
import { USER } from '../sets/set-identity.js';
import { visibleRows } from '../projects/visible-rows.js';
import { IS_LIVE } from './feature-conditions.js';

/** Of a feature without its texts and its citations, of which there may be megabytes. */
export const FACT_COLUMNS = `uid, set_uid, org_id, project_uid, subject, metadata ->> '${USER}' AS user_id`;

/** The columns of `FACT_COLUMNS`. */
export const FACT_ROW = rowColumns({
  uid: 'uuid',
  set_uid: 'uuid',
  org_id: 'text',
  project_uid: 'uuid?',
  subject: 'text?',
  user_id: 'text?',
});

/** Parameters: organization, project, the uids. */
export const factsByUid = (scope: Pick<Scope, 'organization'>) =>
  sql({
    name: `facts_by_uid_${scope.organization}`,
    text: `SELECT ${FACT_COLUMNS} FROM ${SCHEMA}.features
           WHERE ${visibleRows(scope, 'features')} AND uid = ANY($3::uuid[]) AND ${IS_LIVE} ORDER BY created_at, uid`,
    row: FACT_ROW,
  });
