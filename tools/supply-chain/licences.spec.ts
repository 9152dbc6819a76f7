import { expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describePackage, isAllowed, noticesOf } from './packages.mjs';

interface Locked {
  readonly dev?: boolean;
  readonly link?: boolean;
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Readonly<Record<string, Locked>>;
};

/** Everything that is installed to run the product: the content of the images is a part of it. */
const shipped = Object.entries(packages)
  .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
  .map(([path]) => path)
  // servers of other platforms are not installed
  .filter((path) => existsSync(join(path, 'package.json')));

test('every package that is shipped has a licence that asks for no more than its notice', async () => {
  const described = await Promise.all(shipped.map(describePackage));
  expect(described.length).toBeGreaterThan(200);
  const refused = described.filter(({ license }) => !isAllowed(license));
  expect(refused.map(({ name, version, license }) => `${name} ${version}: ${String(license)}`)).toEqual([]);
});

test.each([
  ['MIT', true],
  ['(MIT OR CC0-1.0)', true],
  ['(AFL-2.1 OR BSD-3-Clause)', true],
  ['(AFL-2.1 OR GPL-3.0-only)', false],
  ['MIT AND (ISC OR GPL-3.0-only)', false],
  ['(MIT AND Zlib)', true],
  ['MIT and ISC', true],
  ['GPL-3.0-only', false],
  ['MIT AND GPL-3.0-only', false],
  ['SEE LICENSE IN LICENSE.md', false],
  [undefined, false],
])('%s is allowed: %s', (license, expected) => {
  expect(isAllowed(license)).toBe(expected);
});

test('a notice names the package, its version and its licence, and repeats its terms', async () => {
  const described = await describePackage('node_modules/pg');
  const text = noticesOf('this test', [described]);
  expect(text).toContain(`pg ${described.version} (MIT)`);
  expect(text).toContain(readFileSync('node_modules/pg/LICENSE', 'utf8').trim());
});
