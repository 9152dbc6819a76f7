import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { API_KEY_COLUMNS, API_KEY_ROW } from './api-key-rows.js';

/**
 * Replaces the secret of a key that is not revoked, unless it is outside of the bounds.
 * Parameters: the organization and the project that bound (null = any), the key, the grace in seconds, the digest and
 * the hint of the new secret.
 */
export const ROTATE_API_KEY = sql({
  text: `UPDATE ${SCHEMA}.api_keys SET
           former_digest     = CASE WHEN $4::int > 0 THEN digest END,
           former_expires_at = CASE WHEN $4::int > 0 THEN now() + make_interval(secs => $4::int) END,
           digest = $5, hint = $6, rotated_at = now()
         WHERE revoked_at IS NULL AND id = $3
           AND ($1::text IS NULL OR org_id = $1) AND ($2::text IS NULL OR project_id = $2)
         RETURNING ${API_KEY_COLUMNS}`,
  row: API_KEY_ROW,
});
