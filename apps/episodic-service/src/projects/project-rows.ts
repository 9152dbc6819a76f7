import { rowColumns, type RowOf } from '@loci/persistence';
import { type Tenant } from '@loci/contracts';
import { type OpenProject } from './project.js';

/** What reads and writes have to know of an open project. */
export const PROJECT_COLUMNS =
  'uid, enabled, long_term_enabled, short_term_enabled, ttl_seconds, embedder, reranker';

/** The columns of `PROJECT_COLUMNS`. */
export const PROJECT_ROW = rowColumns({
  uid: 'uuid',
  enabled: 'bool',
  long_term_enabled: 'bool',
  short_term_enabled: 'bool',
  ttl_seconds: 'int4',
  embedder: 'text',
  reranker: 'text',
});

export const toOpenProject = (tenant: Tenant, row: RowOf<typeof PROJECT_ROW>): OpenProject => ({
  uid: row.uid,
  tenant,
  settings: {
    enabled: row.enabled,
    longTermEnabled: row.long_term_enabled,
    shortTermEnabled: row.short_term_enabled,
    ttlSeconds: row.ttl_seconds,
  },
  models: { embedder: row.embedder, reranker: row.reranker },
});
