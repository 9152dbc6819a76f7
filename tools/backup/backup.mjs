// Backs up everything that Loci knows: one consistent snapshot of its schemas, while it runs. Vectors and streams are not
// in it: they are rebuilt. Usage: DATABASE_URL=... node tools/backup/backup.mjs <empty folder>
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to } from 'pg-copy-streams';
import { columnList, fileOf, migrationsOf, qualified, tablesOf, SCOPE_OF_ALL } from './tables.mjs';

const [, , folder] = process.argv;
const { DATABASE_URL } = process.env;
if (!folder || !DATABASE_URL)
  fail('Usage: DATABASE_URL=postgres://... node tools/backup/backup.mjs <empty folder>');
await mkdir(folder, { recursive: true });
if ((await readdir(folder)).length > 0) fail(`${folder} is not empty: a backup needs a folder of its own.`);

const client = new pg.Client({
  connectionString: DATABASE_URL,
  application_name: 'loci-backup',
  options: SCOPE_OF_ALL,
});
await client.connect();
try {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const tables = await tablesOf(client);
  if (tables.length === 0) fail('This database holds no schema of Loci: correct DATABASE_URL.');
  const migrations = await migrationsOf(client, tables);
  const saved = [];
  for (const table of tables) saved.push({ ...table, rows: await save(table) });
  // written last: a folder without it is no backup
  const manifest = { format: 1, takenAt: new Date().toISOString(), migrations, tables: saved };
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const rows = saved.reduce((sum, table) => sum + table.rows, 0);
  console.log(`${rows} rows of ${saved.length} tables are in ${folder}.`);
} finally {
  await client.end();
}

async function save(table) {
  const source = client.query(to(`COPY ${qualified(table)} (${columnList(table)}) TO STDOUT`));
  await pipeline(source, createGzip(), createWriteStream(join(folder, fileOf(table))));
  return source.rowCount;
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
