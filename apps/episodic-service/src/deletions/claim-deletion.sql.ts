import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { IS_DUE } from './deletion-rows.js';
import { DELETION_LEASE } from './deletion-lease.js';

/**
 * Notes that the next step begins of one deletion: of each organization of that whose step is due for longest, and of these
 * of any one, so that no organization waits behind the many of another. One whose step is under way is locked, however long
 * that takes. Parameter: milliseconds.
 */
export const CLAIM_DELETION = sql({
  text: `WITH first AS (
           SELECT DISTINCT ON (org_id) deletions.project_uid, deletions.uid
           FROM ${SCHEMA}.deletions JOIN ${SCHEMA}.projects ON projects.uid = project_uid
           WHERE ${IS_DUE} AND projects.state = 'open'
           ORDER BY org_id, next_at),
         claimed AS (
           SELECT project_uid, uid FROM first JOIN ${SCHEMA}.deletions USING (project_uid, uid)
           WHERE ${IS_DUE} ORDER BY random() LIMIT 1 FOR UPDATE OF deletions SKIP LOCKED)
         UPDATE ${SCHEMA}.deletions SET ${DELETION_LEASE.claimed(1)}, ${DELETION_LEASE.begun}
         FROM claimed
         WHERE deletions.project_uid = claimed.project_uid AND deletions.uid = claimed.uid
         RETURNING deletions.uid, deletions.project_uid, ${DELETION_LEASE.token} AS token`,
  row: { uid: 'uuid', project_uid: 'uuid', token: 'text' },
});
