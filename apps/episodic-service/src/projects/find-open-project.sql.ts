import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Adds and searches begin with it. Parameters: organization, project. */
export const FIND_OPEN_PROJECT = sql({
  name: 'open_project',
  text: `SELECT uid, enabled, long_term_enabled, short_term_enabled, ttl_seconds, embedder, reranker FROM ${SCHEMA}.projects
         WHERE org_id = $1 AND project_id = $2 AND state = 'open'`,
  row: {
    uid: 'uuid',
    enabled: 'bool',
    long_term_enabled: 'bool',
    short_term_enabled: 'bool',
    ttl_seconds: 'int4',
    embedder: 'text',
    reranker: 'text',
  },
});
