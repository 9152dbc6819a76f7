// What is shipped of others: its packages, with what they say of themselves.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BUNDLED_PACKAGES } from '../left-out.mjs';

/** Files in which a package says under which terms it may be used. */
const TERMS = /^(?:licen[cs]e|copying|notice|third.?party)/i;

/** @returns the folders of the packages whose code is in the bundles of an app */
export async function bundledPackages(root, app) {
  const list = await readFile(join(root, 'apps', app, 'dist', BUNDLED_PACKAGES), 'utf8').catch(() => {
    throw new Error(`${app} is not built: run npm run build.`);
  });
  return JSON.parse(list).map((folder) => join(root, folder));
}

/** @returns name, version, licence and terms of the package in a folder */
export async function describePackage(folder) {
  const { name, version, license, licenses } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  );
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && TERMS.test(entry.name))
    .map((entry) => entry.name);
  const terms = await Promise.all(files.sort().map((file) => readFile(join(folder, file), 'utf8')));
  return { name, version, license: licenseOf(license ?? licenses), terms: terms.map((text) => text.trim()) };
}

/** Old packages say `{ "type": "MIT" }`, or a list of such. */
function licenseOf(said) {
  if (Array.isArray(said)) return said.map(licenseOf).join(' OR ');
  return typeof said === 'object' && said !== null ? said.type : said;
}

/** Each package once, by name and version. */
export async function describeAll(folders) {
  const described = await Promise.all(folders.map(describePackage));
  const byRef = new Map(described.map((one) => [`${one.name}@${one.version}`, one]));
  return [...byRef].sort(([a], [b]) => a.localeCompare(b)).map(([, one]) => one);
}

/** Licences of packages that may be shipped: none of them asks for more than their notice. */
export const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'PostgreSQL',
  'Unlicense',
  'Zlib',
]);

/** @returns whether a licence is allowed: of an expression of SPDX with `OR` alone one part, of others all of them */
export function isAllowed(license) {
  if (typeof license !== 'string') return false;
  const parts = license.replace(/[()]/g, ' ').split(/ (?:AND|OR) /i);
  const isOneAllowed = (one) => ALLOWED.has(one.trim());
  return / AND /i.test(license) ? parts.every(isOneAllowed) : parts.some(isOneAllowed);
}

const LINE = '='.repeat(100);

/** The notices that come with what is shipped, as one text. */
export const noticesOf = (title, packages) =>
  [
    `Third-party notices of ${title}: the packages of others that it contains, and their terms.`,
    ...packages.map(({ name, version, license, terms }) =>
      [LINE, `${name} ${version} (${license})`, LINE, ...(terms.length > 0 ? terms : [bare(license)])].join(
        '\n\n',
      ),
    ),
  ].join('\n\n') + '\n';

const bare = (license) => `The package comes without a text of its licence, which is ${license}.`;
