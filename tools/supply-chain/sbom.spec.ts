import { beforeAll, expect, test } from '@jest/globals';
import { cwd } from 'node:process';
import { type Bom, sbomOfImage, sbomOfProduct } from './sbom.mjs';

let product: Bom;

beforeAll(async () => {
  product = await sbomOfProduct(cwd());
});

const named = (name: string): { name: string; version: string } => {
  const found = product.components.find((component) => component['bom-ref'].startsWith(`${name}@`));
  if (!found) throw new Error(`${name} is not in the lock.`);
  return { name, version: found.version };
};

test('an image has the part of the bill that is about what it contains, each package once', () => {
  const pg = named('pg');
  const bom = sbomOfImage(product, 'gateway', [pg, named('fastify'), named('pg-protocol'), pg]);
  const refs = bom.components.map((component) => component['bom-ref']);
  expect(refs.map((ref) => ref.replace(/@[^@]+$/, ''))).toEqual(['fastify', 'pg-protocol', 'pg']);
  expect(bom).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: expect.stringMatching(/^1\.\d+$/),
    serialNumber: expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/),
  });
  expect(bom.serialNumber).not.toBe(product.serialNumber);
  for (const component of bom.components)
    expect(component).toMatchObject({
      purl: expect.stringMatching(/^pkg:npm\//),
      hashes: expect.arrayContaining([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }]),
      licenses: expect.arrayContaining([expect.anything()]),
    });
});

test('it is named after the image, and its dependencies lead to what is in it', () => {
  const bom = sbomOfImage(product, 'gateway', [named('pg'), named('pg-protocol')]);
  const { component } = bom.metadata;
  expect(component).toMatchObject({ name: 'gateway', 'bom-ref': `gateway@${component.version}` });
  const refs = bom.components.map((one) => one['bom-ref']);
  const [root, ...others] = bom.dependencies;
  expect(root).toEqual({ ref: component['bom-ref'], dependsOn: refs });
  expect(others.map(({ ref }) => ref).sort()).toEqual(refs);
  const ofPg = others.find(({ ref }) => ref.startsWith('pg@'));
  // pg needs more than this, which the image does not contain
  expect(ofPg?.dependsOn).toEqual([refs.find((ref) => ref.startsWith('pg-protocol@'))]);
});

test.each([
  ['of another version', { name: 'pg', version: '0.0.0' }],
  ['that nothing is known of', { name: '@loci/left-pad', version: '1.0.0' }],
])('a package %s is refused', (_, other) => {
  expect(() => sbomOfImage(product, 'gateway', [named('pg'), other])).toThrow(
    `The lock does not know ${other.name}@${other.version}: run npm ci.`,
  );
});
