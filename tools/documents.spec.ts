import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { brokenLinks, nameable, staleNames, untestedRows } from './documents.js';

const readmesIn = (folder: string): string[] =>
  readdirSync(folder).map((name) => join(folder, name, 'README.md'));
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'k8s/README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((name) => join('docs', name)),
  ...[...readmesIn('apps'), ...readmesIn('libs')],
].flatMap((path): [string, string][] => {
  try {
    return path.endsWith('.md') ? [[path, readFileSync(path, 'utf8')]] : [];
  } catch {
    return [];
  }
});
const known = nameable();

test.each(documents)('every link of %s leads somewhere', (path, text) => {
  expect(brokenLinks(path, text)).toEqual([]);
});

test.each(['docs/operations.md', 'k8s/README.md'])(
  'what %s tells a reader to run, ask, watch or set is there',
  (path) => {
    expect(staleNames(readFileSync(path, 'utf8'), known)).toEqual([]);
  },
);

test.each([
  ['npm run backups -- x', 'backups is no script of package.json'],
  ['`GET /api/v2/projects/indices`', 'GET /api/v2/projects/indices is no request'],
  ['`POST /api/v2/projects/index`', 'POST /api/v2/projects/index is no request'],
  ['`loci_episodes_pending`', 'loci_episodes_pending is no metric'],
  ['`NATS_REPLICAS=3`', 'NATS_REPLICAS is no setting'],
])('what is not there is found: %s', (text, problem) => {
  expect(staleNames(text, known)).toEqual([problem]);
});

test('what is there is not', () => {
  const text = 'npm run backup `DELETE /api/v2/keys/<id>` `loci_episodes_waiting` `NATS_URL`';
  expect(staleNames(text, known)).toEqual([]);
});

test.each(['[x](missing.md)', '[x](../README.md#no-such-part)', '[x](#nowhere)'])(
  'a link that leads nowhere is found: %s',
  (text) => {
    expect(brokenLinks('docs/operations.md', text)).toHaveLength(1);
  },
);

test('every promise of docs/security.md names a test that is there', () => {
  const path = 'docs/security.md';
  const text = readFileSync(path, 'utf8');
  const heading = 'What is promised';
  expect(text).toContain(`\n## ${heading}\n`);
  expect(untestedRows(path, text, heading)).toEqual([]);
});

test.each([
  '| Nothing is lost | |',
  '| Nothing is lost | [x](../README.md) |',
  '| Nothing is lost | [x](../e2e/gone.spec.ts) |',
])('a promise without a test is found: %s', (row) => {
  const text = `\n## Promises\n\n| promise | test |\n| --- | --- |\n${row}\n\n## Other\n`;
  expect(untestedRows('docs/security.md', text, 'Promises')).toEqual([row]);
});
