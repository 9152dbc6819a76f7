import { sql, unindexed } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { IS_DUE } from './deletion-rows.js';
import { DELETION_LEASE } from './deletion-lease.js';

/** Those that are not locked are tried: there may be as many workers. */
const CANDIDATES = 32;

const NEXT_ORGANIZATION = `SELECT organization FROM ${SCHEMA}.deletions WHERE state <> 'done'`;

/**
 * Notes that the next step begins of one deletion: of each organization of that whose step is due for longest, and of these
 * of any one, so that no organization waits behind the many of another. Each organization is two looks into the index by
 * organization, however many deletions it has. One whose step is under way is locked, however long that takes.
 * Parameter: milliseconds.
 */
export const CLAIM_DELETION = sql({
  text: `WITH RECURSIVE org AS (
           (${NEXT_ORGANIZATION} ORDER BY organization, next_at LIMIT 1)
           UNION ALL
           SELECT following.organization FROM org CROSS JOIN LATERAL (
             ${NEXT_ORGANIZATION} AND organization > org.organization ORDER BY organization, next_at LIMIT 1) AS following),
         first AS (
           SELECT due.project_uid, due.uid FROM org CROSS JOIN LATERAL (
             SELECT project_uid, uid FROM ${SCHEMA}.deletions
             WHERE organization = org.organization AND ${IS_DUE}
               AND (SELECT state = 'open' FROM ${SCHEMA}.projects WHERE projects.uid = project_uid)
             ORDER BY next_at LIMIT 1) AS due
           ORDER BY random() LIMIT ${CANDIDATES}),
         claimed AS (
           SELECT project_uid, uid FROM first JOIN ${SCHEMA}.deletions USING (project_uid, uid)
           WHERE ${unindexed(IS_DUE)} ORDER BY random() LIMIT 1 FOR UPDATE OF deletions SKIP LOCKED)
         UPDATE ${SCHEMA}.deletions SET ${DELETION_LEASE.claimed(1)}, ${DELETION_LEASE.begun}
         FROM claimed
         WHERE deletions.project_uid = claimed.project_uid AND deletions.uid = claimed.uid
         RETURNING deletions.uid, deletions.project_uid, ${DELETION_LEASE.token} AS token`,
  row: { uid: 'uuid', project_uid: 'uuid', token: 'text' },
});
