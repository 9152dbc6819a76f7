import { randomBytes } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const FILE = 'secret.keys';
const KEY_BYTES = 32;

/**
 * The keys of a data folder, `id:base64`, made at the first start. A reader of the file can read the secrets in the
 * database; without it they are lost.
 */
export async function secretKeys(dataDir: string): Promise<string> {
  const path = join(dataDir, FILE);
  const keys = await readKeys(path);
  return keys ?? create(path);
}

async function readKeys(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** On the disk before anything is encrypted with it. */
async function create(path: string): Promise<string> {
  const keys = `k1:${randomBytes(KEY_BYTES).toString('base64')}`;
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(`${keys}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  return keys;
}
