import { qualified } from '../statements/qualified-name.js';
import { sql } from '../statements/sql-statement.js';

const RETENTION_HOURS = 24;

/** Replaces an answer that is expired. Parameters: tenant, operation, key, fingerprint, the response as JSON. */
export const rememberAnswer = (schema: string) =>
  sql({
    text: `INSERT INTO ${qualified(schema, 'idempotency')} (tenant, operation, key, fingerprint, response, expires_at)
           VALUES ($1, $2, $3, $4, $5::json, now() + interval '${RETENTION_HOURS} hours')
           ON CONFLICT (tenant, operation, key) DO UPDATE
           SET fingerprint = excluded.fingerprint, response = excluded.response, expires_at = excluded.expires_at`,
  });
