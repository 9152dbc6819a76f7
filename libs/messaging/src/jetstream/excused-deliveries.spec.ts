import { expect, test } from '@jest/globals';
import { ExcusedDeliveries } from './excused-deliveries.js';

test('counts per message and forgets on demand', () => {
  const excused = new ExcusedDeliveries();
  excused.add('a');
  excused.add('a');
  excused.add('b');
  expect([excused.of('a'), excused.of('b'), excused.of('c')]).toEqual([2, 1, 0]);
  excused.forget('a');
  expect(excused.of('a')).toBe(0);
});

test('remembers a bounded number of messages, the most recent ones', () => {
  const excused = new ExcusedDeliveries();
  for (let n = 0; n < 10_001; n += 1) excused.add(String(n));
  expect([excused.of('0'), excused.of('1'), excused.of('10000')]).toEqual([0, 1, 1]);
});
