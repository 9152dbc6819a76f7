import { sql } from '../statements/sql-statement.js';
import { workLeases } from './work-lease-sql.js';

/** Parameters: the kind, the key. */
export const addWorkLease = (schema: string) =>
  sql({
    text: `INSERT INTO ${workLeases(schema)} (kind, key) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
  });
