import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { type Scope } from '../projects/project.js';
import { visibleRows } from '../projects/visible-rows.js';
import { SET_TYPE_COLUMNS, SET_TYPE_ROW } from './set-rows.js';

/** Oldest first. Parameters: organization, project. */
export const listSetTypes = (scope: Pick<Scope, 'organization'>) =>
  sql({
    name: `set_types_${scope.organization}`,
    text: `SELECT ${SET_TYPE_COLUMNS} FROM ${SCHEMA}.set_types WHERE ${visibleRows(scope, 'set_types')}
           ORDER BY created_at, uid`,
    row: SET_TYPE_ROW,
  });
