import { qualified } from '../statements/qualified-name.js';
import { sql } from '../statements/sql-statement.js';

/** Parameters: tenant, operation, key. */
export const findAnswer = (schema: string) =>
  sql({
    text: `SELECT fingerprint, response FROM ${qualified(schema, 'idempotency')}
           WHERE tenant = $1 AND operation = $2 AND key = $3 AND expires_at > now()`,
    row: { fingerprint: 'text', response: 'json' },
  });
