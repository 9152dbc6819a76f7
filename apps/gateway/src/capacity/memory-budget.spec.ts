import { expect, test } from '@jest/globals';
import { heldBytes, memoryBudget } from './memory-budget.js';

const MEBIBYTE = 1024 * 1024;

test('is half of what the process may have, a quarter of it for bodies that wait', () => {
  expect(memoryBudget(0, MEBIBYTE, 512 * MEBIBYTE)).toEqual({
    receivingBytes: 64 * MEBIBYTE,
    handlingBytes: 192 * MEBIBYTE,
  });
});

test('is what the setting says', () => {
  expect(memoryBudget(100 * MEBIBYTE, MEBIBYTE, 512 * MEBIBYTE)).toEqual({
    receivingBytes: 25 * MEBIBYTE,
    handlingBytes: 75 * MEBIBYTE,
  });
});

test('always takes a body of the largest size', () => {
  expect(memoryBudget(1, 20 * MEBIBYTE)).toEqual({ receivingBytes: 20 * MEBIBYTE, handlingBytes: 1 });
});

test('without a setting, follows the limit of the heap', () => {
  const { receivingBytes, handlingBytes } = memoryBudget(0, 0);
  expect(receivingBytes + handlingBytes).toBeGreaterThan(MEBIBYTE);
  expect(receivingBytes + handlingBytes).toBeLessThan(64 * 1024 * MEBIBYTE);
});

test.each([
  ['a text of ASCII: the text and its bytes', 'x'.repeat(1_000), 2_000],
  ['a text of Chinese: two bytes a character, and three on the wire', '漢'.repeat(1_000), 5_000],
  ['an emoji: two units, and four bytes on the wire', '😀'.repeat(1_000), 8_000],
  ['bytes: themselves', Buffer.alloc(1_000), 1_000],
])('an answer on its way takes memory: %s', (_, answer, expected) => {
  expect(heldBytes(answer)).toBe(expected);
});
