import { createHash } from 'node:crypto';
import { createReadStream, type Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** SHA-256 of a file, hex. */
export async function fileDigest(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest('hex');
}

/**
 * One SHA-256, hex, of every regular file below these folders, by path and content. A link within the package is left
 * out, because it is made here and leads to a file that counts; a link that leads elsewhere counts as a file.
 * @param root what the paths are relative to
 */
export async function foldersDigest(root: string, folders: readonly string[]): Promise<string> {
  const home = await realpath(root);
  const found = await Promise.all(folders.map((folder) => entriesBelow(join(home, folder))));
  const lines: string[] = [];
  for (const entry of found.flat()) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(home, path).split(sep).join('/');
    if (entry.isFile()) lines.push(`${await fileDigest(path)}  ${name}\n`);
    else if (entry.isSymbolicLink() && !(await leadsInto(home, path))) lines.push(`link  ${name}\n`);
  }
  return createHash('sha256').update(lines.sort().join('')).digest('hex');
}

const entriesBelow = (folder: string): Promise<Dirent[]> =>
  readdir(folder, { withFileTypes: true, recursive: true });

const leadsInto = (home: string, link: string): Promise<boolean> =>
  realpath(link).then(
    (target) => target.startsWith(`${home}${sep}`),
    () => false,
  );
