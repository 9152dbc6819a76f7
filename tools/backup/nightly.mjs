// Backs up into a folder of its own below a given one, and removes what is too old there, or was never completed: the
// program of the image `backup`, which a CronJob runs.
// Usage: DATABASE_URL=... BACKUP_KEEP=14 node tools/backup/nightly.mjs <folder>
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { connectionOf, ifUnclaimed } from './connection.mjs';
import { rotate } from './rotation.mjs';
import { BackupRefused, save } from './save.mjs';

const DEFAULT_KEEP = '14';

const [, , root] = process.argv;
const { DATABASE_URL, BACKUP_KEEP = DEFAULT_KEEP } = process.env;
if (!root || !DATABASE_URL || !/^[1-9]\d*$/.test(BACKUP_KEEP))
  fail('Usage: DATABASE_URL=postgres://... BACKUP_KEEP=<1 or more> node tools/backup/nightly.mjs <folder>');
try {
  await mkdir(root, { recursive: true });
  const client = await connectionOf(DATABASE_URL);
  try {
    await rotate({
      root,
      keep: Number(BACKUP_KEEP),
      ifUnclaimed: (name, work) => ifUnclaimed(client, name, work),
      save: saveNow,
      say: (sentence) => console.log(sentence),
    });
  } finally {
    await client.end();
  }
} catch (error) {
  if (error.code === 'ENOSPC')
    fail(`The volume of ${root} is full: make it larger, or keep fewer backups (BACKUP_KEEP).`);
  if (!(error instanceof BackupRefused)) throw error;
  fail(error.message);
}

async function saveNow() {
  const folder = join(root, `${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}Z`);
  const { rows, tables } = await save(DATABASE_URL, folder);
  console.log(`${rows} rows of ${tables} tables are in ${folder}.`);
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
