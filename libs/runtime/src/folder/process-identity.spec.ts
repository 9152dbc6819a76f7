import { expect, test } from '@jest/globals';
import { parseStartTime, startTimeOf } from './process-identity.js';

const stat = (name: string, state: string): string =>
  `4242 (${name}) ${state} 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 987654 20 21`;

test('the start time is field 22, whatever the name of the program', () => {
  expect(parseStartTime(stat('node', 'S'), 'boot')).toBe('boot:987654');
  expect(parseStartTime(stat('a) R 1 (b', 'S'), 'boot')).toBe('boot:987654');
});

test('a zombie is no process any more', () => {
  expect(parseStartTime(stat('node', 'Z'), 'boot')).toBeUndefined();
});

test('a process keeps its start time, and a pid that is not in use has none', async () => {
  const first = await startTimeOf(process.pid);
  expect(first).toEqual(expect.stringMatching(/./));
  expect(await startTimeOf(process.pid)).toBe(first);
  expect(await startTimeOf(2 ** 30)).toBeUndefined();
});
