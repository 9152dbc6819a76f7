import { expect, test } from '@jest/globals';
import { endOfTurn } from './turn-of-loop.js';

test('all who ask in one turn go on together, after everything else in that turn', async () => {
  const ran: string[] = [];
  const first = endOfTurn().then(() => ran.push('first'));
  const second = endOfTurn().then(() => ran.push('second'));
  queueMicrotask(() => ran.push('same turn'));
  process.nextTick(() => ran.push('same turn, last'));
  await Promise.all([first, second]);
  expect(ran).toEqual(expect.arrayContaining(['same turn', 'same turn, last']));
  expect(ran.slice(2)).toEqual(['first', 'second']);
});

test('who asks later waits for a turn of its own', async () => {
  const earlier = endOfTurn();
  await earlier;
  expect(endOfTurn()).not.toBe(earlier);
});
