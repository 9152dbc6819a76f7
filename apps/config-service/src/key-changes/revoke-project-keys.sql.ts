import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Revokes all keys that are bound to a project. Parameters: its organization, its name there. */
export const REVOKE_PROJECT_KEYS = sql({
  text: `UPDATE ${SCHEMA}.api_keys SET revoked_at = now()
         WHERE revoked_at IS NULL AND org_id = $1 AND project_id = $2
         RETURNING id`,
  row: { id: 'uuid' },
});
