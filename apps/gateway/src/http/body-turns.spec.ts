import { expect, test } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { BodyTurns } from './body-turns.js';

const LARGE = 1_000_000;
const READING_MS = 5;
const AMPLE_MS = 60_000;

/** What reads a body that takes so long. */
const reading = (read: string[], name: string) => (): void => {
  const begunMs = performance.now();
  while (performance.now() - begunMs < READING_MS);
  read.push(name);
};

test('between two large bodies everything else has its turn, for as long as the first one took', async () => {
  const turns = new BodyTurns(AMPLE_MS);
  const read: string[] = [];
  const begunMs = performance.now();
  const all = Promise.all(
    Array.from({ length: 10 }, (_, index) => turns.read('one', LARGE, reading(read, `${index}`))),
  );
  let others = 0;
  for (; read.length < 10; others += 1) await turn();
  await all;
  expect(others).toBeGreaterThan(10);
  expect(performance.now() - begunMs).toBeGreaterThan(9 * 2 * READING_MS);
  expect(read).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
});

test('a large body waits for one of each other owner at most, and a small one for none', async () => {
  const turns = new BodyTurns(AMPLE_MS);
  const read: string[] = [];
  const flood = Array.from({ length: 10 }, () => turns.read('one', LARGE, reading(read, 'one')));
  await turns.read('two', 100, () => read.push('small'));
  await turns.read('two', LARGE, reading(read, 'two'));
  await Promise.all(flood);
  expect(read.filter((name) => name !== 'one')).toEqual(['small', 'two']);
  expect(read.indexOf('two')).toBeLessThan(4);
});

test('a large body that waits for its turn as long as a request may is turned away', async () => {
  const turns = new BodyTurns(1);
  const first = turns.read('one', LARGE, reading([], 'first'));
  await expect(turns.read('one', LARGE, () => 'read')).rejects.toMatchObject({ code: 'overloaded' });
  await first;
});

test('a body that is refused lets the next one come', async () => {
  const turns = new BodyTurns(AMPLE_MS);
  const refuse = (): never => {
    throw new Error('refused');
  };
  await expect(turns.read('one', LARGE, refuse)).rejects.toThrow('refused');
  expect(await turns.read('one', LARGE, () => 'read')).toBe('read');
});

test('small lines of many bodies that arrived together leave everything else its turns', async () => {
  const turns = new BodyTurns(AMPLE_MS);
  const [bodies, lines] = [10, 5];
  let left = bodies * lines;
  const all = Array.from({ length: bodies }, async (_, index) => {
    for (let line = 0; line < lines; line += 1) {
      await turns.readLine(`${index}`, 100, reading([], 'line'));
      left -= 1;
    }
  });
  let others = 0;
  for (; left > 0; others += 1) await turn();
  await Promise.all(all);
  expect(others).toBeGreaterThan((bodies * lines) / 2 - 1);
});

test('a small line waits for nothing, unless a large body was read in the same turn of the event loop', async () => {
  const turns = new BodyTurns(AMPLE_MS);
  let others = 0;
  setImmediate(() => (others += 1));
  await turns.readLine('one', 100, () => 'small');
  await turns.read('one', LARGE, reading([], 'large'));
  expect(others).toBe(0);
  await turns.readLine('two', 100, () => 'behind');
  expect(others).toBe(1);
});
