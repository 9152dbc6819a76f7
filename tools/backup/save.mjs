// One consistent snapshot of the schemas of Loci, while it runs. Vectors and streams are not in it: they are rebuilt.
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to } from 'pg-copy-streams';
import { columnList, fileOf, MANIFEST, migrationsOf, qualified, tablesOf, SCOPE_OF_ALL } from './tables.mjs';

/** A sentence for the operator. */
export class BackupRefused extends Error {}

/**
 * @param folder empty, or not there yet
 * @returns how much was saved
 * @throws BackupRefused
 */
export async function save(databaseUrl, folder) {
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0)
    throw new BackupRefused(`${folder} is not empty: a backup needs a folder of its own.`);
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'loci-backup',
    options: SCOPE_OF_ALL,
  });
  await client.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const tables = await tablesOf(client);
    if (tables.length === 0)
      throw new BackupRefused('This database holds no schema of Loci: correct DATABASE_URL.');
    const migrations = await migrationsOf(client, tables);
    const saved = [];
    for (const table of tables) saved.push({ ...table, rows: await saveTable(client, table, folder) });
    // written last: a folder without it is no backup
    const manifest = { format: 1, takenAt: new Date().toISOString(), migrations, tables: saved };
    await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
    return { tables: saved.length, rows: saved.reduce((sum, table) => sum + table.rows, 0) };
  } finally {
    await client.end();
  }
}

async function saveTable(client, table, folder) {
  const source = client.query(to(`COPY ${qualified(table)} (${columnList(table)}) TO STDOUT`));
  await pipeline(source, createGzip(), createWriteStream(join(folder, fileOf(table))));
  return source.rowCount;
}
