import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { type Scope } from '../projects/project.js';
import { visibleRows } from '../projects/visible-rows.js';
import { SET_COLUMNS, SET_ROW } from './set-rows.js';

/** The project's own sets before those of its organization. Parameters: organization, project, uids. */
export const findSets = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `SELECT ${SET_COLUMNS} FROM ${SCHEMA}.sets
           WHERE ${visibleRows(scope, 'sets')} AND uid = ANY($3::uuid[]) ORDER BY project_uid NULLS LAST`,
    row: SET_ROW,
  });
