import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Unless it is known, closed included. Parameters: uid, organization, project. */
export const OPEN_PROJECT = sql({
  text: `INSERT INTO ${SCHEMA}.projects (uid, org_id, project_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
});
