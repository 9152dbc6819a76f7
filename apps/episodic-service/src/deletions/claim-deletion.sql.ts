import { type DeletionState, type Filter } from '@loci/contracts';
import { narrowed, sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/**
 * Of each organization the deletion whose next step is due for longest, and of these any one, so that no organization
 * waits behind the many of another. It is taken for the transaction alone: another worker takes that of another
 * organization, and that of a worker that was killed is free again. Its times leave the database as text, because they
 * come back as parameters.
 */
export const TAKE_DELETION = sql({
  text: `WITH first AS (
           SELECT DISTINCT ON (org_id) deletions.project_uid, deletions.uid
           FROM ${SCHEMA}.deletions JOIN ${SCHEMA}.projects ON projects.uid = project_uid
           WHERE deletions.state <> 'done' AND next_at <= now() AND projects.state = 'open'
           ORDER BY org_id, next_at)
         SELECT deletions.uid, project_uid, org_id, project_id, filter, deletions.state,
                requested_at::text AS requested_at, seen_at::text AS seen_at, seen_uid, emptied_at::text AS emptied_at
         FROM first JOIN ${SCHEMA}.deletions USING (project_uid, uid) JOIN ${SCHEMA}.projects ON projects.uid = project_uid
         WHERE deletions.state <> 'done' AND next_at <= now()
         ORDER BY random() LIMIT 1 FOR UPDATE OF deletions SKIP LOCKED`,
  row: {
    uid: 'uuid',
    project_uid: 'uuid',
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
