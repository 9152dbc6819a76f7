import { sql } from '@loci/persistence';
import { exclusiveProjectLock, SCHEMA } from '../database.js';

/** Parameters: uid, organization, project. */
export const CLOSE_PROJECT = sql({
  text: `WITH queued AS MATERIALIZED (SELECT ${exclusiveProjectLock('$1')})
         INSERT INTO ${SCHEMA}.projects (uid, org_id, project_id, state)
         SELECT $1::uuid, $2, $3, 'erasing' FROM queued
         ON CONFLICT (uid) DO UPDATE SET state = 'erasing', changed_at = now()
         WHERE ${SCHEMA}.projects.state = 'open'`,
});
