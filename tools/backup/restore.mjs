// Puts a backup into a database whose schemas are migrated and empty, all or nothing, before any service has started.
// Usage: DATABASE_URL=... node tools/backup/restore.mjs <folder>
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { from } from 'pg-copy-streams';
import { connectionOf } from './connection.mjs';
import { columnList, fileOf, MANIFEST, migrationsOf, qualified, SEEDED, tablesOf } from './tables.mjs';

const [, , folder] = process.argv;
const { DATABASE_URL } = process.env;
if (!folder || !DATABASE_URL)
  fail('Usage: DATABASE_URL=postgres://... node tools/backup/restore.mjs <folder>');
const manifest = JSON.parse(
  await readFile(join(folder, MANIFEST), 'utf8').catch(() => fail(`${folder} holds no complete backup.`)),
);

const client = await connectionOf(DATABASE_URL, 'loci-restore');
try {
  await client.query('BEGIN');
  await assertFits();
  await client.query(`TRUNCATE ${manifest.tables.map(qualified).join(', ')}`);
  const walled = await tablesWithForcedSecurity();
  // COPY refuses tables whose owner is under row security, too
  for (const table of walled)
    await client.query(`ALTER TABLE ${qualified(table)} NO FORCE ROW LEVEL SECURITY`);
  for (const table of manifest.tables) await load(table);
  await compareIndexes();
  for (const table of walled) await client.query(`ALTER TABLE ${qualified(table)} FORCE ROW LEVEL SECURITY`);
  await client.query('COMMIT');
  console.log(
    `${manifest.tables.length} tables are as they were at ${manifest.takenAt}. The services may start.`,
  );
} finally {
  await client.end();
}

async function assertFits() {
  const migrations = await migrationsOf(client, await tablesOf(client));
  if (!isDeepStrictEqual(migrations, manifest.migrations)) {
    fail(
      'The schemas are not those of the backup: run the migrations of the version that it was taken with.',
    );
  }
  for (const table of manifest.tables.filter(({ schema, name }) => !SEEDED.has(`${schema}.${name}`))) {
    const { rowCount } = await client.query(`SELECT 1 FROM ${qualified(table)} LIMIT 1`);
    if (rowCount > 0)
      fail(
        `${table.schema}.${table.name} is not empty: restore into a database without data, with npm start into a new data folder.`,
      );
  }
}

async function tablesWithForcedSecurity() {
  const { rows } = await client.query(
    `SELECT nspname || '.' || relname AS name FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
     WHERE relforcerowsecurity`,
  );
  const forced = new Set(rows.map(({ name }) => name));
  return manifest.tables.filter(({ schema, name }) => forced.has(`${schema}.${name}`));
}

async function load(table) {
  const target = client.query(from(`COPY ${qualified(table)} (${columnList(table)}) FROM STDIN`));
  await pipeline(createReadStream(join(folder, fileOf(table))), createGunzip(), target);
  if (target.rowCount !== table.rows) {
    fail(`${fileOf(table)} holds ${target.rowCount} rows instead of ${table.rows}: the backup is damaged.`);
  }
  await advanceSequences(table);
}

/** Qdrant may be older or newer than the backup: whatever was compared then is compared again, from the beginning. */
async function compareIndexes() {
  for (const table of manifest.tables.filter(({ name }) => name === 'index_collections')) {
    await client.query(
      `UPDATE ${qualified(table)} SET compare_at = now(), compared_at = NULL, comparing_from = NULL, differs = false`,
    );
  }
}

/** New rows must not take numbers that restored ones have. */
async function advanceSequences({ schema, name, columns }) {
  const table = qualified({ schema, name });
  const { rows } = await client.query(
    `SELECT name, pg_get_serial_sequence($1, name) AS sequence FROM unnest($2::text[]) AS name`,
    [table, columns],
  );
  for (const { name: column, sequence } of rows.filter((row) => row.sequence !== null)) {
    const next = `SELECT coalesce(max(${pg.escapeIdentifier(column)}), 0) + 1 FROM ${table}`;
    await client.query(`SELECT setval($1, (${next}), false)`, [sequence]);
  }
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
