// Writes every file that is generated and committed. Each generator beside this file gives its files, by their paths; what
// prettier knows how to format, and does not ignore, is formatted.
// Usage: node tools/gen.mjs [--check]      (--check: writes nothing, and fails when a committed file differs)
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, getFileInfo, resolveConfig } from 'prettier';
import 'reflect-metadata';

const GENERATORS = [
  'filter-grammar',
  'subjects',
  'env',
  'readmes',
  'metrics',
  'openapi',
  'python',
  'limits',
  'alerts',
  'helm',
  'access',
  'callers',
  'llms',
];

const root = fileURLToPath(new URL('..', import.meta.url));
const isCheck = process.argv.includes('--check');

async function formatted(path, text) {
  const { ignored, inferredParser } = await getFileInfo(path, { ignorePath: `${root}.prettierignore` });
  if (ignored || inferredParser === null) return text;
  return format(text, { ...(await resolveConfig(path)), filepath: path });
}

for (const generator of GENERATORS) {
  const { files } = await import(`./gen-${generator}.mjs`);
  for (const [name, text] of Object.entries(files)) {
    const path = `${root}${name}`;
    const wanted = await formatted(path, text);
    if (!isCheck) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, wanted);
    } else if ((await readFile(path, 'utf8').catch(() => '')) !== wanted) {
      console.error(`${name} is out of date: run "npm run gen".`);
      process.exitCode = 1;
    }
  }
}
