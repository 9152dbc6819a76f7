import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MIGRATION_ROLE, type Servers } from '@loci/runtime';
import pg from 'pg';

/** Each test file has a database of its own, which the role of migrations makes: no deployment lets it. */
export async function allowTestDatabases({ databaseUrl, folder }: Servers): Promise<void> {
  const url = new URL(databaseUrl);
  url.username = 'postgres';
  url.password = (await readFile(join(folder.part('postgres'), 'superuser-password'), 'utf8')).trim();
  const superuser = new pg.Client(url.href);
  await superuser.connect();
  try {
    await superuser.query(`ALTER ROLE ${MIGRATION_ROLE} CREATEDB`);
  } finally {
    await superuser.end();
  }
}
