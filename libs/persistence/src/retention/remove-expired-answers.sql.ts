import { removeBatch } from './expired-rows.js';
import { sql } from '../statements/sql-statement.js';

export const removeExpiredAnswers = (schema: string) =>
  sql({ text: removeBatch(schema, 'idempotency', 'expires_at < now()'), row: { count: 'int4' } });
