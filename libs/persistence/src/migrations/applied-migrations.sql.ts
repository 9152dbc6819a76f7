import { qualified } from '../statements/qualified-name.js';
import { sql } from '../statements/sql-statement.js';

/** Of each schema: what was applied to it. */
export const MIGRATIONS_TABLE = 'migrations';

export const appliedMigrations = (schema: string) =>
  sql({
    text: `SELECT name::text AS name FROM ${qualified(schema, MIGRATIONS_TABLE)}`,
    row: { name: 'text' },
  });
