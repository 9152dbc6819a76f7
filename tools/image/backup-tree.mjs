// Assembles what the image `backup` contains: the programs that back up and restore, as bundles, and of what they are made.
// Usage: node tools/image/backup-tree.mjs <folder>      (the Dockerfile does the same)
import { build } from 'esbuild';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { argv, exit, stderr } from 'node:process';
import { fileURLToPath } from 'node:url';
import { describeAll, noticesOf } from '../supply-chain/packages.mjs';
import { sbomOfImage, sbomOfProduct } from '../supply-chain/sbom.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const APP = 'backup';

const [, , target] = argv;
if (!target) {
  stderr.write('Usage: node tools/image/backup-tree.mjs <folder>\n');
  exit(2);
}
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['backup', 'nightly', 'restore'].map((name) => `tools/backup/${name}.mjs`),
  outdir: target,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // an optional peer, which is not installed
  external: ['pg-native'],
  // packages of CommonJS ask for modules of Node by this name
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
  metafile: true,
});
const packages = await describeAll([...packageFolders(Object.keys(metafile.inputs))]);
await writeFile(
  join(target, 'sbom.cdx.json'),
  `${JSON.stringify(sbomOfImage(await sbomOfProduct(root), APP, packages))}\n`,
);
await writeFile(join(target, 'THIRD_PARTY_NOTICES'), noticesOf(APP, packages));

function packageFolders(inputs) {
  const folders = inputs.flatMap(
    (input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? [],
  );
  return new Set(folders.map((folder) => join(root, folder)));
}
