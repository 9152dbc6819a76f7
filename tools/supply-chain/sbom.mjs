// Bills of materials (CycloneDX), made by npm from the lock: names, versions, hashes and licences of what is shipped.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MAX_BYTES = 64 * 1024 * 1024;

/** @returns what npm says of everything that the lock names; what only development needs is marked so */
export async function sbomOfProduct(root) {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const { stdout } = await run('npm', args, { cwd: root, maxBuffer: MAX_BYTES });
  const bom = JSON.parse(stdout);
  // npm takes the name of the folder
  return { ...bom, metadata: { ...bom.metadata, component: { ...bom.metadata.component, name: 'loci' } } };
}

/**
 * @param packages what the image contains
 * @returns the part of the product's that is about them
 * @throws Error when the product's does not know one of them
 */
export function sbomOfImage(product, app, packages) {
  const known = new Map(product.components.map((component) => [component['bom-ref'], component]));
  const refs = new Set(packages.map(({ name, version }) => `${name}@${version}`));
  const missing = [...refs].filter((ref) => !known.has(ref));
  if (missing.length > 0) throw new Error(`The lock does not know ${missing.join()}: run npm ci.`);
  const { component } = product.metadata;
  const root = {
    ...component,
    ...{ type: 'application', name: app, 'bom-ref': `${app}@${component.version}` },
    purl: `pkg:npm/%40loci/${app}@${component.version}`,
  };
  return {
    ...product,
    serialNumber: `urn:uuid:${randomUUID()}`,
    metadata: { ...product.metadata, component: root },
    components: [...refs].sort().map((ref) => known.get(ref)),
    dependencies: [
      { ref: root['bom-ref'], dependsOn: [...refs].sort() },
      ...product.dependencies
        .filter(({ ref }) => refs.has(ref))
        .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) })),
    ],
  };
}
