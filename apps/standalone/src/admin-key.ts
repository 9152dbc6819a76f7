import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the key is that may do everything. */
export const adminKeyPath = (dataDir: string): string => join(dataDir, 'admin-key');

/**
 * The key that may do everything, of this data folder: made when it is first needed, and readable by its owner only.
 * @param dataDir exists, and is ours alone while we run
 */
export async function adminKey(dataDir: string): Promise<string> {
  const path = adminKeyPath(dataDir);
  const known = await readFile(path, 'utf8').catch(unlessMissing);
  if (known !== undefined && known.trim() !== '') return known.trim();
  const key = `loci_admin_${randomBytes(32).toString('base64url')}`;
  await writeFile(path, `${key}\n`, { mode: 0o600 });
  return key;
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
