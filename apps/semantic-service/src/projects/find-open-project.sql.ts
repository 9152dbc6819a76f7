import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameters: organization, project. */
export const FIND_OPEN_PROJECT = sql({
  name: 'find_open_project',
  text: `SELECT uid, reranker, trusted_producers FROM ${SCHEMA}.projects
         WHERE org_id = $1 AND project_id = $2 AND state = 'open'`,
  row: { uid: 'uuid', reranker: 'text?', trusted_producers: 'text[]' },
});
