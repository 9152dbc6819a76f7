import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { SpacedRefusals } from './spaced-refusals.js';

let refusals: SpacedRefusals;
let answered: number[];

beforeEach(() => {
  jest.useFakeTimers();
  refusals = new SpacedRefusals();
  answered = [];
});

afterEach(() => {
  refusals.end();
  jest.useRealTimers();
});

/** @returns of those that wait, what to call when the client is gone */
const take = (count: number): ((() => void) | undefined)[] =>
  Array.from({ length: count }, (_, index) => refusals.take('198.51.100.7', () => answered.push(index)));

/** One more, which is answered as -1. */
const takeOf = (network: string): void => {
  refusals.take(network, () => answered.push(-1));
};

test('a few refusals are answered at once, and further ones one by one, in their sequence', () => {
  take(110);
  expect(answered).toHaveLength(100);
  jest.advanceTimersByTime(20);
  expect(answered.slice(100)).toEqual([100, 101]);
  jest.advanceTimersByTime(80);
  expect(refusals.waiting).toBe(0);
  expect(answered).toHaveLength(110);
});

test('who comes while others of the same network wait does not pass them', () => {
  take(105);
  jest.advanceTimersByTime(20);
  takeOf('198.51.100.7');
  jest.advanceTimersByTime(30);
  expect(answered.at(-1)).toBe(104);
  jest.advanceTimersByTime(10);
  expect(answered.at(-1)).toBe(-1);
});

test('however many wait, none waits longer than ten seconds, and they are not answered all at once', () => {
  take(4_100);
  jest.advanceTimersByTime(5_000);
  expect(answered).toHaveLength(2_100);
  jest.advanceTimersByTime(5_000);
  expect(answered).toHaveLength(4_100);
});

test('a network that has many waiting delays another one by a turn, also when its own have waited for long', () => {
  take(5_090);
  takeOf('203.0.113.9');
  jest.advanceTimersByTime(20);
  expect(answered).toContain(-1);
  for (let tick = 0; tick < 1_500; tick += 1) {
    take(5);
    jest.advanceTimersByTime(10);
  }
  answered = [];
  takeOf('203.0.113.9');
  jest.advanceTimersByTime(20);
  expect(answered).toContain(-1);
});

test('of several networks each has its turn', () => {
  take(103);
  for (const network of ['a', 'a', 'b'])
    refusals.take(network, () => answered.push(network === 'a' ? -1 : -2));
  answered = [];
  jest.advanceTimersByTime(60);
  expect(answered).toEqual([100, -1, -2, 101, -1, 102]);
});

test('more than there is memory for are answered at once', () => {
  take(5_200);
  expect(refusals.waiting).toBe(5_000);
  expect(answered).toHaveLength(200);
});

test('who is gone leaves the queue', () => {
  const leaves = take(103);
  leaves[101]?.();
  expect(refusals.waiting).toBe(2);
  jest.advanceTimersByTime(100);
  leaves[101]?.();
  expect(answered.filter((index) => index === 101)).toHaveLength(1);
});

test('after a quiet second a few are answered at once again', () => {
  take(101);
  jest.advanceTimersByTime(2_000);
  answered = [];
  take(100);
  expect(answered).toHaveLength(100);
});

test('a gateway that closes keeps no answer back', () => {
  take(300);
  refusals.end();
  expect(answered).toHaveLength(300);
  take(300);
  expect(answered).toHaveLength(600);
});
