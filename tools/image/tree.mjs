// Assembles what the image of an app holds: its production dependencies, its build and that of the libraries it stands on.
// Usage: node tools/image/tree.mjs <app> <folder>      (after npm run build; the Dockerfile does the same)
import { execFileSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { arch, argv, exit, platform, stderr, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What nobody reads at run time: most of the bytes of most packages. */
const UNREAD = /\.(map|d\.[cm]?ts|md|markdown)$/i;

/** @returns the bytes of the tree */
export async function assembleTree(app, target) {
  await mkdir(target, { recursive: true });
  const workspaces = await workspaceFolders();
  for (const path of [
    'package.json',
    'package-lock.json',
    '.npmrc',
    ...workspaces.map((w) => `${w}/package.json`),
  ]) {
    await cp(join(root, path), join(target, path));
  }
  const only = ['--workspace', `@loci/${app}`, '--include-workspace-root=false'];
  execFileSync('npm', ['ci', '--omit=dev', '--loglevel=error', ...only], { cwd: target, stdio: 'inherit' });
  for (const folder of workspaces) {
    const { name } = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
    if (await exists(join(target, 'node_modules', name))) {
      await cp(join(root, folder, 'dist'), join(target, folder, 'dist'), { recursive: true });
    } else {
      await rm(join(target, folder), { recursive: true });
    }
  }
  await cp(new URL('healthcheck.mjs', import.meta.url), join(target, 'healthcheck.mjs'));
  await rm(join(target, 'package-lock.json'));
  await prune(target);
  return sizeOf(target);
}

async function workspaceFolders() {
  const groups = await Promise.all(
    ['apps', 'libs'].map(async (group) =>
      (await readdir(join(root, group))).map((name) => `${group}/${name}`),
    ),
  );
  const folders = [...groups.flat(), 'bench'];
  const are = await Promise.all(folders.map((folder) => exists(join(root, folder, 'package.json'))));
  return folders.filter((_, place) => are[place]);
}

/** Removes what is never read, and the inference libraries of other platforms. */
async function prune(target) {
  // a client of ours names the compiler as its peer, for its types
  await rm(join(target, 'node_modules/typescript'), { recursive: true, force: true });
  for (const file of await filesBelow(join(target, 'node_modules'))) {
    const [, forPlatform, forArch] = /onnxruntime-node\/bin\/[^/]+\/([^/]+)\/([^/]+)\//.exec(file) ?? [];
    const isForeign = forPlatform !== undefined && (forPlatform !== platform || forArch !== arch);
    if (isForeign || UNREAD.test(file)) await rm(file);
  }
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
