// Compiles every package's `src` to `dist` with swc; what is not TypeScript is copied. Types are checked by `npm run typecheck`.
// The programs of the apps (`src/*main.ts`) become bundles with everything they import, so that a process starts
// with a few files instead of some two thousand: a quarter of the CPU time.
// The console is built by Vite (apps/console/vite.config.mjs).
// Usage: node tools/build.mjs [package folder ...]      (default: all of apps/*, libs/* and bench)
import { transformFile } from '@swc/core';
import { build as bundle } from 'esbuild';
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUNDLED_PACKAGES, leavesOut } from './left-out.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A page for browsers: no other program is bundled with it. */
const consoleFolder = join(root, 'apps', 'console');

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

/** Hash of the inputs of a bundle, beside it. */
const BUNDLED_FROM = '.bundled-from';

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
  if (folder === consoleFolder) return buildConsole();
  const dist = join(folder, 'dist');
  const wanted = new Set([
    ...(await buildTree(join(folder, 'src'), dist)),
    ...(await bundlePrograms(folder, dist)),
  ]);
  const found = (await exists(dist)) ? await filesBelow(dist) : [];
  await Promise.all(found.filter((path) => !wanted.has(path)).map((path) => rm(path)));
}

/** Vite and its plug-ins take a second to load: only when something differs. */
async function buildConsole() {
  const stamp = join(consoleFolder, 'dist', BUNDLED_FROM);
  const inputs = await hashOf([
    join(root, 'package-lock.json'),
    ...['index.html', 'package.json', 'vite.config.mjs'].map((file) => join(consoleFolder, file)),
    ...(await filesBelow(join(consoleFolder, 'src'))),
    ...(await filesBelow(join(root, 'libs/client/src'))),
  ]);
  if (inputs === (await readFile(stamp, 'utf8').catch(() => undefined))) return;
  const { build: buildPage } = await import('vite');
  await buildPage({ configFile: join(consoleFolder, 'vite.config.mjs'), logLevel: 'warn' });
  await writeFile(stamp, inputs);
}

/** @returns the paths of all files that belong there */
async function buildTree(from, to) {
  const emitted = await Promise.all(
    (await filesBelow(from))
      .filter((source) => !/\.spec\.ts$/.test(source) && !isProgram(source))
      .map((source) => emit(source, join(to, relative(from, source)))),
  );
  return emitted.flat();
}

async function emit(source, target) {
  if (!isTypeScript(source)) {
    await writeIfChanged(target, await readFile(source, 'utf8'));
    return [target];
  }
  const output = target.replace(/\.ts$/, '.js');
  const { code, map } = await compile(source);
  await writeIfChanged(output, `${code}\n//# sourceMappingURL=${basename(output)}.map\n`);
  await writeIfChanged(`${output}.map`, map);
  return [output, `${output}.map`];
}

const isTypeScript = (path) => path.endsWith('.ts') && !path.endsWith('.d.ts');

/** The libs are compiled for their own `dist` and for the bundles: once is enough. */
const compiled = new Map();

function compile(source) {
  if (!compiled.has(source)) compiled.set(source, transformFile(source, { ...swcOptions, filename: source }));
  return compiled.get(source);
}

/** What is started as a process of an app. */
const isProgram = (path) => /^apps\/[^/]+\/src\/(\w+\.)?main\.ts$/.test(relative(root, path));

/** @returns the paths of all files that belong there */
async function bundlePrograms(folder, dist) {
  const programs = (await filesBelow(join(folder, 'src'))).filter(isProgram);
  if (programs.length === 0) return [];
  const stamp = join(dist, BUNDLED_FROM);
  const [inputs, files = []] = await readFile(stamp, 'utf8').then(JSON.parse, () => []);
  const paths = files.map((file) => join(dist, file));
  const areThere = (await Promise.all(paths.map(exists))).every(Boolean);
  const isCurrent = areThere && inputs === (await inputsOfBundles());
  return [stamp, ...(isCurrent ? paths : await writeBundle(programs, dist, stamp))];
}

async function writeBundle(programs, dist, stamp) {
  const { dependencies } = JSON.parse(await readFile(join(dirname(dist), 'package.json'), 'utf8'));
  // metadata first, because shared code is evaluated before the program that asks for them
  const metadata = 'reflect-metadata' in dependencies ? `import 'reflect-metadata'; ` : '';
  const kinds = [programs.filter(isJob), programs.filter((program) => !isJob(program))];
  const bundles = await Promise.all(
    kinds.filter(({ length }) => length > 0).map((kind) => bundleOf(kind, dist, metadata)),
  );
  const outputs = new Map(
    bundles.flatMap(({ outputFiles }) => outputFiles.map(({ path, text }) => [path, text])),
  );
  outputs.set(join(dist, BUNDLED_PACKAGES), `${JSON.stringify(packagesIn(bundles), undefined, 2)}\n`);
  await Promise.all([...outputs].map(([path, text]) => writeIfChanged(path, text)));
  const paths = [...outputs.keys()];
  await writeIfChanged(
    stamp,
    JSON.stringify([await inputsOfBundles(), paths.map((path) => relative(dist, path))]),
  );
  return paths;
}

/** The folders of the packages of others whose code is in the bundles. */
function packagesIn(bundles) {
  const files = bundles.flatMap(({ metafile }) =>
    Object.values(metafile.outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
    ),
  );
  const folders = files.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []);
  return [...new Set(folders)].sort();
}

/** Ends by itself, and needs little of what services are made of: chunks shared with them would bring it all. */
const isJob = (program) => basename(program) === 'migrate.main.ts';

const bundleOf = (programs, dist, metadata) =>
  bundle({
    entryPoints: programs,
    outdir: dist,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    write: false,
    metafile: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    conditions: ['@loci/source'],
    plugins: [throughSwc, leavesOut],
    // packages in the older module format call `require`
    banner: {
      js: `${metadata}import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);`,
    },
    logLevel: 'warning',
  });

/** esbuild has no decorator metadata, which Nest and class-validator read. */
const throughSwc = {
  name: 'swc',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const { code, map } = await compile(path);
      const inlined = Buffer.from(map).toString('base64');
      return {
        contents: `${code}\n//# sourceMappingURL=data:application/json;base64,${inlined}`,
        loader: 'js',
      };
    });
  },
};

let hashOfInputs;

/** One hash for the bundles of all apps: whatever they could have been made from. */
function inputsOfBundles() {
  hashOfInputs ??= (async () => {
    const folders = (await packageFolders()).filter((folder) => folder !== consoleFolder);
    const sources = (await Promise.all(folders.map((folder) => filesBelow(join(folder, 'src'))))).flat();
    const manifests = folders.map((folder) => join(folder, 'package.json'));
    const tools = ['build.mjs', 'left-out.mjs'].map((tool) => join(root, 'tools', tool));
    return hashOf([join(root, 'package-lock.json'), ...tools, ...[...manifests, ...sources].sort()]);
  })();
  return hashOfInputs;
}

async function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of [...paths].sort()) hash.update(path).update(await readFile(path));
  return hash.digest('hex');
}

async function filesBelow(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function writeIfChanged(path, text) {
  const current = await readFile(path, 'utf8').catch(() => undefined);
  if (current === text) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

const asked = process.argv.slice(2).map((folder) => join(root, folder));
await Promise.all((asked.length > 0 ? asked : await packageFolders()).map(buildPackage));
