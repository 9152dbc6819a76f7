import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { DELETION_COLUMNS, DELETION_ROW } from './deletion-rows.js';

/** Parameters: its uid, the project, the filter, how many match. */
export const INSERT_DELETION = sql({
  text: `INSERT INTO ${SCHEMA}.deletions (uid, project_uid, filter, matching, organization)
         VALUES ($1, $2, $3, $4, (SELECT org_id FROM ${SCHEMA}.projects WHERE uid = $2))
         RETURNING ${DELETION_COLUMNS}`,
  row: DELETION_ROW,
});
