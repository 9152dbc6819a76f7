import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameters: uid, organization, project. */
export const CLOSE_PROJECT = sql({
  text: `INSERT INTO ${SCHEMA}.projects (uid, org_id, project_id, state) VALUES ($1, $2, $3, 'erasing')
         ON CONFLICT (uid) DO UPDATE SET state = 'erasing', changed_at = now()
         WHERE ${SCHEMA}.projects.state = 'open'`,
});
