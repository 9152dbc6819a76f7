import { type QueryRunner } from 'typeorm';
import { qualified } from '../statements/qualified-name.js';
import { enableRowSecurity } from '../row-security/row-security.js';

/**
 * Creates the table of answers to requests that came with an idempotency key, for a migration. Answers are `json`, not
 * `jsonb`, so that a repeated answer is the same text, and because `jsonb` refuses some text that JSON may contain.
 */
export async function createIdempotencyTable(runner: QueryRunner, schema: string): Promise<void> {
  const idempotency = qualified(schema, 'idempotency');
  await runner.query(`
    CREATE TABLE ${idempotency} (
      tenant      text NOT NULL,
      operation   text NOT NULL,
      key         text NOT NULL,
      fingerprint text NOT NULL,
      response    json NOT NULL,
      expires_at  timestamptz NOT NULL,
      PRIMARY KEY (tenant, operation, key)
    )`);
  await runner.query(`CREATE INDEX idempotency_expiry ON ${idempotency} (expires_at)`);
  await enableRowSecurity(runner, { schema, table: 'idempotency', tenant: `nullif(tenant, '')` });
}
