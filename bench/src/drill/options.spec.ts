import { expect, test } from '@jest/globals';
import { readOptions } from './options.js';

test('a drill has sizes of its own, which flags change', () => {
  expect(readOptions([])).toMatchObject({ workers: 4, seconds: 60, kills: 9 });
  expect(readOptions(['--workers', '8', '--latency', '0'])).toMatchObject({ workers: 8, latencyMs: 0 });
});

test('a short run is small, and flags change that too', () => {
  expect(readOptions(['--short', '--kills', '0'])).toMatchObject({ workers: 2, seconds: 6, kills: 0 });
});

test('help is no run', () => {
  expect(readOptions(['--help'])).toBeUndefined();
});

test.each([
  [['--workers', '9']],
  [['--workers', '0']],
  [['--seconds', '1.5']],
  [['--agents', 'many']],
  [['--fast']],
])('what makes no sense is refused, with the usage: %j', (args) => {
  expect(() => readOptions(args)).toThrow('npm run drill:scale');
});
