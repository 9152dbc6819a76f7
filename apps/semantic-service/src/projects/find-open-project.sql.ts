import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { PROJECT_COLUMNS, PROJECT_ROW } from './project-rows.js';

/** Parameters: organization, project. */
export const FIND_OPEN_PROJECT = sql({
  name: 'find_open_project',
  text: `SELECT ${PROJECT_COLUMNS} FROM ${SCHEMA}.projects
         WHERE org_id = $1 AND project_id = $2 AND state = 'open'`,
  row: PROJECT_ROW,
});
