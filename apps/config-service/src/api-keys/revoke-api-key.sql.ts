import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { API_KEY_COLUMNS, API_KEY_ROW } from './api-key-rows.js';

/**
 * Revokes a key that is not revoked, unless it is outside of the bounds.
 * Parameters: the organization and the project that bound (null = any), the key.
 */
export const REVOKE_API_KEY = sql({
  text: `UPDATE ${SCHEMA}.api_keys SET revoked_at = now()
         WHERE revoked_at IS NULL AND id = $3
           AND ($1::text IS NULL OR org_id = $1) AND ($2::text IS NULL OR project_id = $2)
         RETURNING ${API_KEY_COLUMNS}`,
  row: API_KEY_ROW,
});
