// Compiles every package's `src` to `dist` with swc; what is not TypeScript is copied. Types are checked by `npm run typecheck`.
// Usage: node tools/build.mjs [package folder ...]      (default: all of apps/*, libs/* and bench)
import { transformFile } from '@swc/core';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

const swcOptions = {
  cwd: root,
  swcrc: false,
  sourceMaps: true,
  module: { type: 'es6' },
  jsc: {
    target: 'es2022',
    keepClassNames: true,
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
  },
};

async function packageFolders() {
  const folders = [join(root, 'bench')];
  for (const group of ['libs', 'apps']) {
    for (const name of await readdir(join(root, group))) {
      const folder = join(root, group, name);
      if (await exists(join(folder, 'src'))) folders.push(folder);
    }
  }
  return folders;
}

const exists = (path) =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Writes only what changed and removes what has no source any more: a process that runs from `dist` is not disturbed. */
async function buildPackage(folder) {
  const dist = join(folder, 'dist');
  const wanted = new Set(await buildTree(join(folder, 'src'), dist));
  const found = (await exists(dist)) ? await readdir(dist, { recursive: true, withFileTypes: true }) : [];
  const stale = found.filter((entry) => entry.isFile() && !wanted.has(join(entry.parentPath, entry.name)));
  await Promise.all(stale.map((entry) => rm(join(entry.parentPath, entry.name))));
}

/** @returns the paths of all files that belong there */
async function buildTree(from, to) {
  const files = await readdir(from, { recursive: true, withFileTypes: true });
  const emitted = await Promise.all(
    files
      .filter((file) => file.isFile() && !/\.spec\.ts$/.test(file.name))
      .map((file) => {
        const source = join(file.parentPath, file.name);
        return emit(source, join(to, relative(from, source)));
      }),
  );
  return emitted.flat();
}

async function emit(source, target) {
  await mkdir(dirname(target), { recursive: true });
  if (!source.endsWith('.ts') || source.endsWith('.d.ts')) {
    await writeIfChanged(target, await readFile(source, 'utf8'));
    return [target];
  }
  const output = target.replace(/\.ts$/, '.js');
  const { code, map } = await transformFile(source, { ...swcOptions, filename: source });
  const mapName = `${output.slice(dirname(output).length + 1)}.map`;
  await writeIfChanged(output, `${code}\n//# sourceMappingURL=${mapName}\n`);
  await writeIfChanged(`${output}.map`, map);
  return [output, `${output}.map`];
}

async function writeIfChanged(path, text) {
  const current = await readFile(path, 'utf8').catch(() => undefined);
  if (current === text) return;
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

const asked = process.argv.slice(2).map((folder) => join(root, folder));
await Promise.all((asked.length > 0 ? asked : await packageFolders()).map(buildPackage));
