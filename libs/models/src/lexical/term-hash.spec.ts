import { expect, test } from '@jest/globals';
import { termHash } from './term-hash.js';

test.each([
  ['', 0x811c9dc5],
  ['a', 0xe40c292c],
  ['foobar', 0xbf9cf968],
])('%j has the hash that the FNV draft publishes for it', (term, hash) => {
  expect(termHash(term)).toBe(hash);
});

test('two terms that differ only in a non-ASCII letter have different hashes', () => {
  expect(termHash('猫')).not.toBe(termHash('犬'));
});
