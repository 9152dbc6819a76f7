import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The files below a folder whose bytes contain a text. */
export async function filesContaining(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    // a server may remove a file of its own meanwhile
    const bytes = await readFile(path).catch(() => Buffer.alloc(0));
    if (bytes.includes(text)) found.push(path);
  }
  return found;
}
