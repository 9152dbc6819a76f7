import { readFile, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { RuntimeError } from '../runtime-error.js';

interface Link {
  readonly source: string;
  readonly target: string;
}

/**
 * Creates the links between shared libraries that an npm package cannot carry. The package does it in an install
 * script, which this repository does not run (and npm 12 does not either).
 * @param home the package's `native` folder
 * @throws RuntimeError `binary_missing` where the links are absent and cannot be created
 */
export async function linkLibraries(home: string): Promise<void> {
  const list = await readFile(join(home, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(list) as Link[];
  await Promise.all(links.map((link) => createLink(join(home, '..', link.target), basename(link.source))));
}

async function createLink(path: string, target: string): Promise<void> {
  try {
    await symlink(target, path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST') return;
    throw new RuntimeError(
      'binary_missing',
      `PostgreSQL needs the link ${path}, which cannot be created (${code ?? String(error)}): ` +
        'start once as the owner of node_modules, or set DATABASE_URL to a server of your own.',
      { cause: error },
    );
  }
}
