import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** By the migration that adds the columns, too. Parameter: how many at most. */
export const PROJECTS_WITHOUT_SKELETON = sql({
  text: `SELECT uid, org_id, project_id FROM ${SCHEMA}.projects WHERE project_skeleton IS NULL LIMIT $1`,
  row: { uid: 'uuid', org_id: 'text', project_id: 'text' },
});
