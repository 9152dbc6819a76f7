// One consistent snapshot of the schemas of Loci, while it runs. Vectors and streams are not in it: they are rebuilt.
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { to } from 'pg-copy-streams';
import { connectionOf, hold } from './connection.mjs';
import { columnList, fileOf, MANIFEST, migrationsOf, qualified, tablesOf } from './tables.mjs';

/** A sentence for the operator. */
export class BackupRefused extends Error {}

/**
 * @param folder empty, or not there yet; what was written when it fails is removed
 * @returns how much was saved
 * @throws BackupRefused
 */
export async function save(databaseUrl, folder) {
  const client = await connectionOf(databaseUrl);
  try {
    await hold(client, folder);
    await mkdir(folder, { recursive: true });
    if ((await readdir(folder)).length > 0)
      throw new BackupRefused(`${folder} is not empty: a backup needs a folder of its own.`);
    return await saveAll(client, folder).catch(async (error) => {
      // a volume can be emptied and not removed; why the backup failed says more
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
      throw error;
    });
  } finally {
    await client.end();
  }
}

async function saveAll(client, folder) {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const tables = await tablesOf(client);
  if (tables.length === 0)
    throw new BackupRefused('This database holds no schema of Loci: correct DATABASE_URL.');
  const migrations = await migrationsOf(client, tables);
  const saved = [];
  for (const table of tables) saved.push({ ...table, rows: await saveTable(client, table, folder) });
  // there last, and whole: a folder without it is no backup
  const manifest = { format: 1, takenAt: new Date().toISOString(), migrations, tables: saved };
  const written = join(folder, `${MANIFEST}.part`);
  await writeFile(written, `${JSON.stringify(manifest, null, 2)}\n`);
  await rename(written, join(folder, MANIFEST));
  return { tables: saved.length, rows: saved.reduce((sum, table) => sum + table.rows, 0) };
}

async function saveTable(client, table, folder) {
  const source = client.query(to(`COPY ${qualified(table)} (${columnList(table)}) TO STDOUT`));
  await pipeline(source, createGzip(), createWriteStream(join(folder, fileOf(table))));
  return source.rowCount;
}
