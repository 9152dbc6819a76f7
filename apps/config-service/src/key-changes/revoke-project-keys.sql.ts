import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/**
 * Revokes all keys that are bound to a project; answers those that were valid until now. Parameters: its organization, its name
 * there.
 */
export const REVOKE_PROJECT_KEYS = sql({
  text: `WITH revoked AS (
           UPDATE ${SCHEMA}.api_keys SET revoked_at = now()
           WHERE revoked_at IS NULL AND org_id = $1 AND project_id = $2
           RETURNING id, expires_at)
         SELECT id FROM revoked WHERE expires_at IS NULL OR expires_at > now()`,
  row: { id: 'uuid' },
});
