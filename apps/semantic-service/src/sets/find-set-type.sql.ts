import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { type Scope } from '../projects/project.js';
import { visibleRows } from '../projects/visible-rows.js';
import { SET_TYPE_COLUMNS, SET_TYPE_ROW } from './set-rows.js';

/** Parameters: organization, project, uid. @param isLocked whether nothing else changes it until the transaction ends */
export const findSetType = (scope: Pick<Scope, 'organization'>, isLocked: boolean) =>
  sql({
    text: `SELECT ${SET_TYPE_COLUMNS} FROM ${SCHEMA}.set_types
           WHERE ${visibleRows(scope, 'set_types')} AND uid = $3 ${isLocked ? 'FOR UPDATE' : ''}`,
    row: SET_TYPE_ROW,
  });
