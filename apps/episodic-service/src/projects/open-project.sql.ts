import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Unless it is known, closed included. Parameters: uid, organization, project, embedder, reranker, revision of the models. */
export const OPEN_PROJECT = sql({
  text: `INSERT INTO ${SCHEMA}.projects (uid, org_id, project_id, embedder, reranker, models_revision)
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
});
