import { expect, test } from '@jest/globals';
import { endOfTurn } from './turn-of-loop.js';

test('all who ask in one turn go on together, after everything else in that turn', async () => {
  const order: string[] = [];
  const first = endOfTurn().then(() => order.push('first'));
  const second = endOfTurn().then(() => order.push('second'));
  queueMicrotask(() => order.push('same turn'));
  process.nextTick(() => order.push('same turn, last'));
  await Promise.all([first, second]);
  expect(order).toEqual(expect.arrayContaining(['same turn', 'same turn, last']));
  expect(order.slice(2)).toEqual(['first', 'second']);
});

test('who asks later waits for a turn of its own', async () => {
  const earlier = endOfTurn();
  await earlier;
  expect(endOfTurn()).not.toBe(earlier);
});
