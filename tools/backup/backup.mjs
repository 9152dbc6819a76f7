// Backs up everything that Loci knows. Usage: DATABASE_URL=... node tools/backup/backup.mjs <empty folder>
import { BackupRefused, save } from './save.mjs';

const [, , folder] = process.argv;
const { DATABASE_URL } = process.env;
if (!folder || !DATABASE_URL)
  fail('Usage: DATABASE_URL=postgres://... node tools/backup/backup.mjs <empty folder>');
try {
  const { rows, tables } = await save(DATABASE_URL, folder);
  console.log(`${rows} rows of ${tables} tables are in ${folder}.`);
} catch (error) {
  if (!(error instanceof BackupRefused)) throw error;
  fail(error.message);
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
