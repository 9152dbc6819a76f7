import { expect, test } from '@jest/globals';
import { DEFAULT_PORT, usageFor } from './usage.js';

test('a start without arguments says nothing', () => {
  expect(usageFor([])).toBeUndefined();
});

test('help names settings with their defaults', () => {
  const { text, isWanted } = usageFor(['--help']) ?? {};
  expect(isWanted).toBe(true);
  for (const value of ['FAKE_MODELS_PORT', String(DEFAULT_PORT)]) expect(text).toContain(value);
});

test('any other argument is refused in one line', () => {
  const { text, isWanted } = usageFor(['--port', '9000']) ?? {};
  expect(isWanted).toBe(false);
  expect(text).toMatch(/^[^\n]*"--port"[^\n]*--help[^\n]*\n$/);
});
