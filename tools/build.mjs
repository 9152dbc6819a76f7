// Compiles every package's `src` to `dist` with swc; what is not TypeScript is copied. Types are checked by `npm run typecheck`.
// Usage: node tools/build.mjs [package folder ...]      (default: all of apps/*, libs/* and bench)
import { transformFile } from '@swc/core';
import { cp, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
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

async function buildPackage(folder) {
  await rm(join(folder, 'dist'), { recursive: true, force: true });
  await buildTree(join(folder, 'src'), join(folder, 'dist'));
}

async function buildTree(from, to) {
  const files = await readdir(from, { recursive: true, withFileTypes: true });
  await Promise.all(
    files
      .filter((file) => file.isFile() && !/\.(spec|contract-suite)\.ts$/.test(file.name))
      .map((file) => {
        const source = join(file.parentPath, file.name);
        return emit(source, join(to, relative(from, source)));
      }),
  );
}

async function emit(source, target) {
  await mkdir(dirname(target), { recursive: true });
  if (!source.endsWith('.ts') || source.endsWith('.d.ts')) return cp(source, target);
  const output = target.replace(/\.ts$/, '.js');
  const { code, map } = await transformFile(source, { ...swcOptions, filename: source });
  const mapName = `${output.slice(dirname(output).length + 1)}.map`;
  await Promise.all([
    writeFile(output, `${code}\n//# sourceMappingURL=${mapName}\n`),
    writeFile(`${output}.map`, map),
  ]);
}

const asked = process.argv.slice(2).map((folder) => join(root, folder));
await Promise.all((asked.length > 0 ? asked : await packageFolders()).map(buildPackage));
