import { expect, test } from '@jest/globals';
import { settingsOf } from './settings.js';
import { usageFor } from './usage.js';

test('a start without arguments says nothing', () => {
  expect(usageFor([])).toBeUndefined();
});

test('help names settings with their defaults', () => {
  const { text, isWanted } = usageFor(['--help']) ?? {};
  expect(isWanted).toBe(true);
  expect(text).toContain(`LOCI_URL      ${settingsOf({}).endpoint.origin}`);
});

test('any other argument is refused in one line', () => {
  const { text, isWanted } = usageFor(['http://127.0.0.1:9000']) ?? {};
  expect(isWanted).toBe(false);
  expect(text).toMatch(/^[^\n]*"http:\/\/127\.0\.0\.1:9000"[^\n]*--help[^\n]*\n$/);
});
