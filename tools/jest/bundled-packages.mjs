// Bundles the packages that our sources import, for Jest. Without it, Jest resolves, reads and compiles some two thousand
// files of Nest, TypeORM, RxJS and others anew for every test file.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { leavesOut, LEFT_OUT } from '../left-out.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Below node_modules, where Jest looks for no tests and transforms nothing. One folder per set of inputs. */
const CACHE = join(root, 'node_modules/.cache/jest-packages');

/** Until then a Jest that started before may still read them. */
const UNUSED_AFTER_MS = 24 * 3_600_000;

const SOURCES = ['apps', 'libs', 'bench/src', 'e2e'];

/** What only browsers run. */
const IN_BROWSERS = join(root, 'apps/console/');

/** What the bundles are made from, beside the imports of the sources. */
const INPUTS = ['package-lock.json', 'tools/jest/bundled-packages.mjs', 'tools/left-out.mjs'];

/** Ours, Jest's own, compilers, and what reads files beside its code. */
const NOT_BUNDLED =
  /^(@loci\/|@jest\/|typescript|eslint|@seriousme\/openapi-schema-validator|autocannon|@arethetypeswrong\/|playwright-core)/;

const IMPORTED = /^(?:import(?! type)|export|\}).* from '(@?[a-z][\w./@-]*)';$/gm;

/**
 * Makes the bundles, unless they are there.
 * @returns their folder; its index.json names the file of each package
 */
export async function bundledPackages() {
  const names = await importedPackages();
  const folder = join(CACHE, await hashOf(names));
  if (!existsSync(folder)) await makeBundles(names, folder);
  return folder;
}

/** @returns the packages that all of our sources find in the same folder, which is the one of the root */
async function importedPackages() {
  const isAtRoot = new Map();
  const found = (await Promise.all(SOURCES.map((folder) => sourcesBelow(join(root, folder))))).flat();
  const files = found.filter((file) => !file.startsWith(IN_BROWSERS));
  for (const file of files) {
    for (const [, name] of (await readFile(file, 'utf8')).matchAll(IMPORTED)) {
      if (NOT_BUNDLED.test(name) || LEFT_OUT.has(name)) continue;
      isAtRoot.set(name, isAtRoot.get(name) !== false && !existsSync(ownFolder(name, file)));
    }
  }
  return [...isAtRoot.keys()].filter((name) => isAtRoot.get(name)).sort();
}

/** Where the workspace of a file has a package, if it has a version of its own. */
function ownFolder(name, file) {
  const workspace = relative(root, file).split(sep).slice(0, 2);
  const [packageName] = /^(?:@[^/]+\/)?[^/]+/.exec(name);
  return join(root, ...workspace, 'node_modules', packageName);
}

async function sourcesBelow(folder) {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = entries.map((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : sourcesBelow(path);
    return entry.name.endsWith('.ts') ? [path] : [];
  });
  return (await Promise.all(found)).flat();
}

async function hashOf(names) {
  const hash = createHash('sha256').update(names.join());
  for (const path of INPUTS) hash.update(await readFile(join(root, path)));
  return hash.digest('hex').slice(0, 16);
}

/** Appears as a whole: another Jest may be starting. */
async function makeBundles(names, folder) {
  const entries = await Promise.all(names.map(async (name) => [name, await entryOf(name)]));
  const unfinished = `${folder}.${process.pid}`;
  await mkdir(unfinished, { recursive: true });
  await bundle(new Map(entries), unfinished);
  const index = Object.fromEntries(names.map((name) => [name, `${fileOf(name)}.mjs`]));
  await writeFile(join(unfinished, 'index.json'), JSON.stringify(index));
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }));
  await removeOld();
}

async function removeOld() {
  for (const name of await readdir(CACHE)) {
    const { mtimeMs } = await stat(join(CACHE, name));
    if (Date.now() - mtimeMs > UNUSED_AFTER_MS) await rm(join(CACHE, name), { recursive: true, force: true });
  }
}

const fileOf = (name) => name.replaceAll('/', '__');

/** Names every export: those of a CommonJS package are known only when it is loaded. */
async function entryOf(name) {
  const all = await import(name);
  const names = Object.keys(all).filter((key) => !['default', 'module.exports', '__esModule'].includes(key));
  return [
    `import * as all from ${JSON.stringify(name)};`,
    ...names.map((key, n) => `const e${n} = all[${JSON.stringify(key)}];`),
    `export { ${names.map((key, n) => `e${n} as ${JSON.stringify(key)}`).join(', ')} };`,
    ...('default' in all ? ['export default all.default;'] : []),
  ].join('\n');
}

const bundle = (entries, outdir) =>
  build({
    entryPoints: Object.fromEntries([...entries.keys()].map((name) => [fileOf(name), `entry:${name}`])),
    outdir,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunk-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // names of classes are tokens of Nest
    keepNames: true,
    banner: {
      js: `import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);`,
    },
    plugins: [readsEntries(entries), leavesOut],
    logLevel: 'warning',
  });

const readsEntries = (entries) => ({
  name: 'entries',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^entry:/ }, ({ path }) => ({
      path: path.slice('entry:'.length),
      namespace: 'entry',
    }));
    onLoad({ filter: /./, namespace: 'entry' }, ({ path }) => ({
      contents: entries.get(path),
      resolveDir: root,
    }));
  },
});
