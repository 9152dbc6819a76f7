import { expect, test } from '@jest/globals';
import { readEnv } from './env.js';
import { usageFor } from './usage.js';

test('a start without arguments says nothing', () => {
  expect(usageFor([])).toBeUndefined();
});

test('help names settings with their defaults', () => {
  const { text, isWanted } = usageFor(['--help']) ?? {};
  expect(isWanted).toBe(true);
  const { port, host, logLevel } = readEnv({});
  for (const value of [String(port), host, logLevel]) expect(text).toContain(value);
});

test('what no one can mean is refused, with what to do', () => {
  const { text, isWanted } = usageFor(['--port', '9000']) ?? {};
  expect(isWanted).toBe(false);
  expect(text).toContain('"--port"');
  expect(text).toContain('PORT=9000 npm start');
});
