import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { retiredWords } from './words.js';

/** Files whose words are not ours to choose: released migrations, generated code, conversations of benchmarks, the list itself. */
const EXEMPT = /\/migrations\/|generated|^tools\/words|^bench\/data\//;

/** Prompts and texts of tests that use the words in their plain sense. */
const PLAIN_TEXTS = new Set([
  'apps/episodic-service/src/summaries/summary-prompt.ts',
  'apps/gateway/src/access/hosted.spec.ts',
  'e2e/access/isolation.spec.ts',
  'e2e/injections/texts.ts',
  'e2e/requests/semantic.spec.ts',
  'e2e/requests/wire.spec.ts',
  'libs/testing/README.md',
  'libs/testing/src/fake-models/fake-extraction.ts',
  'tools/deployment/overlay-rules.spec.ts',
]);

const files = execFileSync('git', ['ls-files', '*.ts', '*.mjs', '*.md', '*.yml', '*.yaml'], {
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((path) => !EXEMPT.test(path) && !PLAIN_TEXTS.has(path));

test('no file uses a word that the glossary replaced', () => {
  const found = files.flatMap((path) => {
    const problems = retiredWords(readFileSync(path, 'utf8'));
    return problems.map((problem) => `${path}, ${problem}`);
  });
  expect(found).toEqual([]);
});

test.each(['the arrival of it', 'a FeaturePlace', 'const twinOf = 1', 'a work order', 'Nobody waits'])(
  'a retired word is found: %s',
  (text) => {
    expect(retiredWords(text)).toHaveLength(1);
  },
);

test.each(['updates it in place', 'it takes its place', 'run as `nobody`', 'replaces', 'sort order'])(
  'a plain use is not: %s',
  (text) => {
    expect(retiredWords(text)).toEqual([]);
  },
);
