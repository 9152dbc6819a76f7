import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export const SUITE_FILES = '.e2e.spec.ts';

/** As a suite names a folder beside it, and a file of a folder names another one. */
const IMPORTED = /^(?:import|export|\}).*'\.{1,2}\/([\w-]+)\//gm;

/**
 * @param suite path of a suite
 * @returns its own folder, that of what all share, and those that their files import from: what decides how it ends
 */
export function foldersOf(suite, root = 'e2e') {
  const found = new Set();
  const add = (folder) => {
    if (found.has(folder) || !existsSync(join(root, folder))) return;
    found.add(folder);
    for (const name of readdirSync(join(root, folder))) {
      if (name.endsWith('.ts')) addImported(join(root, folder, name));
    }
  };
  const addImported = (file) => {
    for (const [, folder] of readFileSync(file, 'utf8').matchAll(IMPORTED)) add(folder);
  };
  for (const folder of ['harness', basename(suite, SUITE_FILES)]) add(folder);
  addImported(suite);
  return [...found].sort();
}
