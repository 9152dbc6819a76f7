import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Servers } from '@loci/runtime';
import pg from 'pg';

/** What deployments run when they create the database. */
const ROLES = 'k8s/components/postgres-roles/10-roles.sql';

const MIGRATIONS = 'loci_migrate';

/**
 * Makes the roles of a deployment on servers that were just started: services then own nothing, and only read and write
 * rows.
 * @returns the URL for migrations, and for restoring a backup
 */
export async function makeRoles({ databaseUrl, folder }: Servers): Promise<string> {
  const superuserPassword = await readFile(join(folder.part('postgres'), 'superuser-password'), 'utf8');
  const superuser = new pg.Client(loginAs(databaseUrl, 'postgres', superuserPassword.trim()));
  const password = randomBytes(24).toString('hex');
  await superuser.connect();
  try {
    await superuser.query(await readFile(join(process.cwd(), ROLES), 'utf8'));
    await superuser.query(`ALTER ROLE ${MIGRATIONS} PASSWORD '${password}'`);
  } finally {
    await superuser.end();
  }
  return loginAs(databaseUrl, MIGRATIONS, password);
}

function loginAs(databaseUrl: string, role: string, password: string): string {
  const url = new URL(databaseUrl);
  url.username = role;
  url.password = password;
  return url.href;
}
