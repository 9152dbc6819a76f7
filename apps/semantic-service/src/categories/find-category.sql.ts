import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { type Scope } from '../projects/project.js';
import { visibleRows } from '../projects/visible-rows.js';
import { CATEGORY_COLUMNS, CATEGORY_ROW, OWNER_ROW } from './category-rows.js';

/** Parameters: organization, project, uid. @param isLocked whether nothing else changes it until the transaction ends */
export const findCategory = (scope: Pick<Scope, 'organization'>, isLocked: boolean) =>
  sql({
    text: `SELECT ${CATEGORY_COLUMNS}, org_id, project_uid FROM ${SCHEMA}.categories
           WHERE ${visibleRows(scope, 'categories')} AND uid = $3 ${isLocked ? 'FOR UPDATE' : ''}`,
    row: { ...CATEGORY_ROW, ...OWNER_ROW },
  });
