// Assembles what the image of an app contains: its programs, which are bundles, and the packages that these leave out.
// Usage: node tools/image/tree.mjs <app> <folder>      (after npm run build; the Dockerfile does the same)
import { cp, readdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { arch, argv, exit, platform, stderr, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { LEFT_OUT, OWN_FILES } from '../left-out.mjs';
import { bundledPackages, describeAll, noticesOf } from '../supply-chain/packages.mjs';
import { sbomOfImage, sbomOfProduct } from '../supply-chain/sbom.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const resolver = createRequire(join(root, 'package.json'));

/** These are not read at run time. */
const UNREAD = /\.(map|d\.[cm]?ts|md|markdown)$/i;

/** Of the files of this package the gateway makes answers. */
const CONSOLE = '@loci/console';

/** The programs of an app: what is started, and what these share. */
const PROGRAMS = /^(?:(?:\w+\.)?main\.js|chunks\/.+\.js)$/;

/**
 * @param product the bill of materials of the product; made when it is absent
 * @returns the bytes of the tree
 */
export async function assembleTree(app, target, product) {
  await carryPrograms(join('apps', app), target);
  const dependencies = await dependenciesOf(`@loci/${app}`);
  const carried = [];
  for (const name of dependencies) if (LEFT_OUT.has(name)) await carryPackage(name, target, carried);
  const pages = dependencies.has(CONSOLE) ? [basename(CONSOLE)] : [];
  for (const page of pages) await carryPage(page, target);
  await describe([app, ...pages], target, { carried, product: product ?? (await sbomOfProduct(root)) });
  for (const file of OWN_FILES) if (dependencies.has(packageOf(file))) await carryOwnFile(file, target);
  await cp(new URL('healthcheck.mjs', import.meta.url), join(target, 'healthcheck.mjs'));
  return sizeOf(target);
}

/** The packages of others in the image, and their terms. @param apps the one that the image is for, and its pages */
async function describe(apps, target, { carried, product }) {
  const [app] = apps;
  const bundled = (await Promise.all(apps.map((one) => bundledPackages(root, one)))).flat();
  const packages = await describeAll([...bundled, ...carried]);
  await writeFile(join(target, 'sbom.cdx.json'), `${JSON.stringify(sbomOfImage(product, app, packages))}\n`);
  await writeFile(join(target, 'THIRD_PARTY_NOTICES'), noticesOf(app, packages));
}

async function carryPrograms(folder, target) {
  // it says that they are modules
  await cp(join(root, folder, 'package.json'), join(target, folder, 'package.json'));
  const dist = join(root, folder, 'dist');
  const programs = (await filesBelow(dist)).filter((file) => PROGRAMS.test(relative(dist, file)));
  for (const file of programs) await cp(file, join(target, relative(root, file)));
}

/** A page for browsers, where the gateway looks for it. */
async function carryPage(page, target) {
  const [folder, destination] = [join(root, 'apps', page), join(target, 'node_modules/@loci', page)];
  for (const path of ['package.json', 'dist/index.html', 'dist/assets']) {
    await cp(join(folder, path), join(destination, path), { recursive: true });
  }
}

/** What a package of ours needs directly or through others of ours, by name. */
async function dependenciesOf(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  if (!name.startsWith('@loci/')) return found;
  const { dependencies = {} } = await manifestOf(join(root, 'node_modules', name));
  for (const dependency of Object.keys(dependencies)) await dependenciesOf(dependency, found);
  return found;
}

/** A package with everything that it depends on, at the paths where npm put them. */
async function carryPackage(name, target, carried, from = root) {
  const folder = await folderOf(name, from);
  const destination = join(target, relative(root, folder));
  if (await exists(destination)) return;
  carried.push(folder);
  await cp(folder, destination, { recursive: true, filter: isCarried });
  const { dependencies = {} } = await manifestOf(folder);
  for (const dependency of Object.keys(dependencies)) await carryPackage(dependency, target, carried, folder);
}

async function carryOwnFile(file, target) {
  const name = packageOf(file);
  const folder = await realpath(join(root, 'node_modules', name));
  const destination = join(target, 'node_modules', name);
  for (const path of new Set([join(folder, 'package.json'), resolver.resolve(file)])) {
    await cp(path, join(destination, relative(folder, path)));
  }
}

const packageOf = (file) => file.split('/', 2).join('/');

/** Where Node finds a package that is asked for in a folder. */
async function folderOf(name, from) {
  const folder = join(from, 'node_modules', name);
  if (await exists(folder)) return folder;
  if (from === root) throw new Error(`${name} is not installed: run npm ci.`);
  return folderOf(name, dirname(from));
}

const manifestOf = async (folder) => JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));

/** Without documents, the inference libraries of other platforms, and packages within, which are carried for themselves. */
function isCarried(path) {
  const [, forPlatform, forArch] = /onnxruntime-node\/bin\/[^/]+\/([^/]+)\/([^/]+)/.exec(path) ?? [];
  const isForeign = forPlatform !== undefined && (forPlatform !== platform || forArch !== arch);
  return !isForeign && !UNREAD.test(path) && basename(path) !== 'node_modules';
}

async function sizeOf(target) {
  const sizes = await Promise.all((await filesBelow(target)).map(async (file) => (await stat(file)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function filesBelow(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

const exists = (path) =>
  stat(path).then(
    () => true,
    () => false,
  );

if (argv[1] === fileURLToPath(import.meta.url)) {
  const [, , app, target] = argv;
  if (!app || !target) {
    stderr.write('Usage: node tools/image/tree.mjs <app> <folder>\n');
    exit(2);
  }
  stdout.write(`${app}: ${Math.round((await assembleTree(app, target)) / 1e6)} MB\n`);
}
