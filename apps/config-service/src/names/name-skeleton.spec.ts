import { describe, expect, test } from '@jest/globals';
import { IDENTIFIER } from '@loci/contracts';
import { nameSkeleton } from './name-skeleton.js';

describe('names that look alike', () => {
  test.each([
    ['acme', 'аcme', 'a Cyrillic letter'],
    ['acme', 'ａｃｍｅ', 'full-width letters'],
    ['acme', 'acme\u3164', 'an invisible letter behind'],
    ['acme', 'ac\u115fme', 'an invisible letter within'],
    ['acme', '𝐚𝐜𝐦𝐞', 'letters of mathematics'],
    ['HOPE', 'НОРЕ', 'Cyrillic capitals'],
    ['paypal', 'paypaI', 'a capital I'],
    ['team1', 'teaml', 'a digit'],
    ['ﬁnance', 'finance', 'a ligature'],
    ['가나', '\u1100\u1161\u1102\u1161', 'a syllable in parts'],
    ['ᎪBᏟ', 'ABC', 'Cherokee letters'],
  ])('%s and %s: %s', (one, other) => {
    expect(one).not.toBe(other);
    expect(IDENTIFIER.test(one) && IDENTIFIER.test(other)).toBe(true);
    expect(nameSkeleton(one)).toBe(nameSkeleton(other));
  });
});

test.each([
  ['acme', 'Acme'],
  ['acme', 'acmé'],
  ['acme-1', 'acme-2'],
  ['apollo', 'apollo2'],
  ['a_b', 'a-b'],
  ['москва', 'moscow'],
])('%s and %s do not', (one, other) => {
  expect(nameSkeleton(one)).not.toBe(nameSkeleton(other));
});

test('long names that look alike have one short skeleton', () => {
  const long = (letter: string): string => `${'\u{20000}'.repeat(200)}${letter}`;
  expect(nameSkeleton(long('a'))).toBe(nameSkeleton(long('а')));
  expect(nameSkeleton(long('a'))).not.toBe(nameSkeleton(long('b')));
  expect(nameSkeleton('\ufdfa'.repeat(255))).toHaveLength(64);
});

test('identifiers that programs make do not collide', () => {
  const names = Array.from({ length: 5_000 }, (_, index) => [
    `run-${index}`,
    `p${index.toString(16)}`,
  ]).flat();
  expect(new Set(names.map(nameSkeleton)).size).toBe(names.length);
});

test.each(['a\u200bb', 'a\u0301', 'a\u2060b', 'a b'])('%j is no name at all', (name) => {
  expect(IDENTIFIER.test(name)).toBe(false);
});
