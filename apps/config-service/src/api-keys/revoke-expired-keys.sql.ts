import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameters: since how many hours they have been over, how many at most. */
export const REVOKE_EXPIRED_KEYS = sql({
  text: `WITH over AS (
           SELECT id FROM ${SCHEMA}.api_keys
           WHERE revoked_at IS NULL AND expires_at < now() - make_interval(hours => $1::int)
           ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED),
         revoked AS (
           UPDATE ${SCHEMA}.api_keys AS key SET revoked_at = now() FROM over WHERE key.id = over.id RETURNING 1)
         SELECT count(*)::int AS revoked FROM revoked`,
  row: { revoked: 'int4' },
});
