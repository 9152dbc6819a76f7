import { type Client } from '../statements/client.js';
import { executeOn } from '../statements/execute.js';
import { qualified } from '../statements/qualified-name.js';
import { appliedMigrations, MIGRATIONS_TABLE } from './applied-migrations.sql.js';
import { type SchemaMigrations } from './migrations-options.js';
import { TABLE_EXISTS } from './table-exists.sql.js';

/** @returns the names of the migrations that were not applied to the schema */
export async function missingMigrations(
  client: Client,
  { schema, migrations }: SchemaMigrations,
): Promise<string[]> {
  const names = migrations.map((migration) => new migration().name ?? migration.name);
  const [found] = await executeOn(client, TABLE_EXISTS, [qualified(schema, MIGRATIONS_TABLE)]);
  if (found?.exists !== true) return names;
  const rows = await executeOn(client, appliedMigrations(schema), []);
  const applied = new Set(rows.map(({ name }) => name));
  return names.filter((name) => !applied.has(name));
}
