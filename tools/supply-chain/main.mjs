// Writes the bills of materials (CycloneDX) and the notices of third parties, of the product and of every image, into a
// folder. Usage: npm run sbom [-- <folder>]      (default: sbom)
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { assembleTree } from '../image/tree.mjs';
import { describeAll, noticesOf } from './packages.mjs';
import { sbomOfProduct } from './sbom.mjs';

const APPS = ['gateway', 'config-service', 'episodic-service', 'semantic-service', 'streams'];

const root = fileURLToPath(new URL('../..', import.meta.url));
const [, , target = 'sbom'] = argv;
await mkdir(target, { recursive: true });
const product = await sbomOfProduct(root);
await writeFile(join(target, 'loci.cdx.json'), `${JSON.stringify(product, undefined, 2)}\n`);
await writeFile(join(target, 'loci.notices.txt'), noticesOf('Loci', await describeAll(await installed())));
const trees = await mkdtemp(join(tmpdir(), 'loci-sbom-'));
try {
  for (const app of APPS) {
    await assembleTree(app, join(trees, app), product);
    await cp(join(trees, app, 'sbom.cdx.json'), join(target, `${app}.cdx.json`));
    await cp(join(trees, app, 'THIRD_PARTY_NOTICES'), join(target, `${app}.notices.txt`));
  }
} finally {
  await rm(trees, { recursive: true, force: true });
}
stdout.write(`${product.components.length} components; see ${target}.\n`);

/** The folders of the packages of others that are installed to run the product, and are here. */
async function installed() {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  const folders = Object.entries(packages).filter(
    ([path, { dev, link }]) => path.includes('node_modules/') && dev !== true && link !== true,
  );
  const found = await Promise.all(
    folders.map(async ([path]) =>
      readFile(join(root, path, 'package.json')).then(
        () => [join(root, path)],
        () => [],
      ),
    ),
  );
  return found.flat();
}
