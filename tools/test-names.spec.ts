import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const HAS_TESTS = /^\s*(?:test|describe)(?:\.each|\.failing)?[(`]/m;

test('what holds end-to-end tests is named as a test', () => {
  const files = readdirSync('e2e', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  expect(files.length).toBeGreaterThan(30);
  const misnamed = files.filter(
    (name) => !name.endsWith('.spec.ts') && HAS_TESTS.test(readFileSync(join('e2e', name), 'utf8')),
  );
  expect(misnamed).toEqual([]);
});
