// Backs up into a folder of its own below a given one, then removes what is too old there: the program of the image
// `backup`, which a CronJob runs. Usage: DATABASE_URL=... BACKUP_KEEP=14 node tools/backup/nightly.mjs <folder>
import { access, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupRefused, save } from './save.mjs';
import { MANIFEST } from './tables.mjs';

const DEFAULT_KEEP = '14';

/** As this program names folders; whatever else is there is left alone. */
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;

const [, , root] = process.argv;
const { DATABASE_URL, BACKUP_KEEP = DEFAULT_KEEP } = process.env;
if (!root || !DATABASE_URL || !/^[1-9]\d*$/.test(BACKUP_KEEP))
  fail('Usage: DATABASE_URL=postgres://... BACKUP_KEEP=<1 or more> node tools/backup/nightly.mjs <folder>');
try {
  await mkdir(root, { recursive: true });
  const name = `${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
  const { rows, tables } = await save(DATABASE_URL, join(root, name));
  console.log(`${rows} rows of ${tables} tables are in ${join(root, name)}.`);
  for (const old of await outdated(Number(BACKUP_KEEP))) {
    await rm(join(root, old), { recursive: true });
    console.log(`${join(root, old)} is removed.`);
  }
} catch (error) {
  if (!(error instanceof BackupRefused)) throw error;
  fail(error.message);
}

/** All complete ones but the newest, and those that were begun before these and never completed. */
async function outdated(keep) {
  const names = (await readdir(root)).filter((name) => NAME.test(name)).sort();
  const complete = [];
  for (const name of names) if (await exists(join(root, name, MANIFEST))) complete.push(name);
  const kept = new Set(complete.slice(-keep));
  const newest = complete.at(-1) ?? '';
  return names.filter((name) => !kept.has(name) && name < newest);
}

function exists(path) {
  return access(path).then(
    () => true,
    () => false,
  );
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
