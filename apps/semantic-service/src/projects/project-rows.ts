import { type Tenant } from '@loci/contracts';
import { rowColumns, type RowOf } from '@loci/persistence';
import { type OpenProject } from './project.js';

/** What requests have to know of an open project. */
export const PROJECT_COLUMNS = 'uid, reranker, trusted_producers';

/** The columns of `PROJECT_COLUMNS`. */
export const PROJECT_ROW = rowColumns({ uid: 'uuid', reranker: 'text?', trusted_producers: 'text[]' });

export const toOpenProject = (tenant: Tenant, row: RowOf<typeof PROJECT_ROW>): OpenProject => ({
  uid: row.uid,
  tenant,
  reranker: row.reranker ?? undefined,
  trustedProducers: row.trusted_producers,
});
