import { type DeletionState, type Filter } from '@loci/contracts';
import { narrowed, sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { DELETION_LEASE } from './deletion-lease.js';

/**
 * The step of a claimed deletion, for the transaction that does it; no row when the claim is lost. Its times leave the
 * database as text, because they come back as parameters. Parameters: the project, its uid, the fence.
 */
export const HOLD_DELETION = sql({
  text: `SELECT org_id, project_id, filter, deletions.state,
                requested_at::text AS requested_at, seen_at::text AS seen_at, seen_uid, emptied_at::text AS emptied_at
         FROM ${SCHEMA}.deletions JOIN ${SCHEMA}.projects ON projects.uid = project_uid
         WHERE project_uid = $1 AND deletions.uid = $2 AND ${DELETION_LEASE.isOwner(3)} AND projects.state = 'open'
         FOR UPDATE OF deletions`,
  row: {
    org_id: 'text',
    project_id: 'text',
    filter: narrowed<Filter | null>('jsonb?'),
    state: narrowed<DeletionState>('text'),
    requested_at: 'text',
    seen_at: 'text',
    seen_uid: 'uuid',
    emptied_at: 'text?',
  },
});
