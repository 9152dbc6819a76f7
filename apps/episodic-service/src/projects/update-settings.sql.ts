import { sql } from '@loci/persistence';
import { exclusiveProjectLock, SCHEMA } from '../database.js';

/** Parameters: organization, project, the four settings (null = as it is). One row when the project is open. */
export const UPDATE_SETTINGS = sql({
  text: `WITH named AS MATERIALIZED (
           SELECT uid FROM ${SCHEMA}.projects WHERE org_id = $1 AND project_id = $2 AND state = 'open'
         ), queued AS MATERIALIZED (
           SELECT uid, ${exclusiveProjectLock('uid')} FROM named
         ), updated AS (
           UPDATE ${SCHEMA}.projects SET
             enabled            = coalesce($3, enabled),
             long_term_enabled  = coalesce($4, long_term_enabled),
             short_term_enabled = coalesce($5, short_term_enabled),
             ttl_seconds        = coalesce($6, ttl_seconds),
             changed_at         = now()
           FROM queued WHERE projects.uid = queued.uid AND state = 'open'
           RETURNING projects.uid)
         SELECT uid FROM updated`,
  row: { uid: 'uuid' },
});
