// What of the database belongs to Loci: every schema that has migrations of ours, and its tables.

/** @returns the tables, each behind those that it refers to, with the columns that are not generated */
export async function tablesOf(client) {
  const { rows: tables } = await client.query(
    `
    SELECT c.oid, n.nspname AS schema, c.relname AS name,
           (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
            WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
           ARRAY(SELECT confrelid FROM pg_constraint f WHERE f.conrelid = c.oid AND f.contype = 'f' AND confrelid <> c.oid)
             AS refers_to
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind = 'r' AND c.relname <> 'migrations' AND EXISTS (
      SELECT 1 FROM pg_class o WHERE o.relnamespace = n.oid AND o.relname = 'outbox')
      AND n.nspname || '.' || c.relname <> ALL ($1)
    ORDER BY n.nspname, c.relname`,
    [DERIVED],
  );
  return inOrder(tables).map(({ schema, name, columns }) => ({ schema, name, columns }));
}

function inOrder(tables) {
  const sorted = [];
  const waiting = [...tables];
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ refers_to }) =>
      refers_to.every((oid) => !waiting.some((table) => table.oid === oid)),
    );
    if (next === -1)
      throw new Error(`Tables refer to each other in a circle: ${waiting.map(({ name }) => name)}.`);
    sorted.push(...waiting.splice(next, 1));
  }
  return sorted;
}

/** @returns the names of the migrations of every schema that the tables are in */
export async function migrationsOf(client, tables) {
  const found = {};
  for (const schema of new Set(tables.map((table) => table.schema))) {
    const { rows } = await client.query(`SELECT name FROM ${quoted(schema)}.migrations ORDER BY name`);
    found[schema] = rows.map(({ name }) => name);
  }
  return found;
}

export const quoted = (name) => `"${name.replaceAll('"', '""')}"`;

export const qualified = ({ schema, name }) => `${quoted(schema)}.${quoted(name)}`;

export const columnList = ({ columns }) => columns.map(quoted).join(', ');

export const fileOf = ({ schema, name }) => `${schema}.${name}.copy.gz`;

/** What a backup says of itself; a folder without it is none. */
export const MANIFEST = 'manifest.json';

/** For a connection that reads the rows of every tenant, which row security would hide. */
export const SCOPE_OF_ALL = '-c loci.scope=*';

/** What triggers fill while other tables are restored. */
const DERIVED = [
  'episodic.index_backlog',
  'semantic.index_backlog',
  'semantic.ingestion_counts',
  'semantic.set_counts',
];

/** What migrations put in: there before anything was stored. */
export const SEEDED = new Set([
  'config.api_key_tag',
  'config.audit_head',
  'config.notification_head',
  'config.memory_configuration',
  'config.registry_revision',
  'config.resource_transitions',
  'config.resources',
]);
