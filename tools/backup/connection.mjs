// The connection of a backup or a restore, and what tells the folders that are being written from those that were left.
import { basename } from 'node:path';
import pg from 'pg';
import { SCOPE_OF_ALL } from './tables.mjs';

/** @returns a client, connected, that works on the rows of every tenant */
export async function connectionOf(databaseUrl, applicationName = 'loci-backup') {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: applicationName,
    options: SCOPE_OF_ALL,
  });
  // what runs on it fails with it; without a listener the process would end before it has cleaned up
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

const KEY = `hashtext('loci-backup'), hashtext($1)`;

/** Takes a folder for as long as the connection lives, so that a run that is killed gives it back. Waits for who has it. */
export async function hold(client, folder) {
  await client.query(`SELECT pg_advisory_lock(${KEY})`, [basename(folder)]);
}

/** Works while it has a folder, unless another run has it. */
export async function ifUnclaimed(client, folder, work) {
  const { rows } = await client.query(`SELECT pg_try_advisory_lock(${KEY}) AS claimed`, [basename(folder)]);
  if (!rows[0].claimed) return;
  try {
    await work();
  } finally {
    await client.query(`SELECT pg_advisory_unlock(${KEY})`, [basename(folder)]);
  }
}
