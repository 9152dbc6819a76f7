import { expect, test } from '@jest/globals';
import { type VerifiedApiKey } from '@loci/contracts';
import { KnownKeys } from './known-keys.js';

const OPTIONS = { maxEntries: 3, validMs: 60_000, unknownMs: 60_000 };

const keyOf = (id: string): VerifiedApiKey => ({ id, scopes: ['read'], bounds: {} });

const isKnown = (known: KnownKeys, digest: string): boolean => known.find(digest) !== undefined;

test('unknown secrets displace no valid key, and those in use stay longest', () => {
  const known = new KnownKeys(OPTIONS);
  for (const id of ['a', 'b', 'c']) known.remember(id, keyOf(id));
  for (let index = 0; index < 100; index += 1) known.remember(`unknown ${index}`, undefined);
  expect(known.find('a')).toEqual({ key: keyOf('a') });
  expect(known.find('unknown 99')).toEqual({ key: undefined });
  expect(isKnown(known, 'unknown 0')).toBe(false);
  known.remember('d', keyOf('d'));
  expect(['a', 'b', 'c', 'd'].map((digest) => isKnown(known, digest))).toEqual([true, false, true, true]);
});

test('a key is forgotten with all secrets that it has, and no other is', () => {
  const known = new KnownKeys(OPTIONS);
  known.remember('former', keyOf('a'));
  known.remember('current', keyOf('a'));
  known.remember('other', keyOf('b'));
  known.remember('current', keyOf('a'));
  known.forget('a');
  expect(['former', 'current', 'other'].map((digest) => isKnown(known, digest))).toEqual([
    false,
    false,
    true,
  ]);
  expect(known.hasSeenValid('former')).toBe(true);
  expect(known.hasSeenValid('unknown')).toBe(false);
});

test('a key that is over is not believed any more', () => {
  const known = new KnownKeys(OPTIONS);
  known.remember('a', { ...keyOf('a'), expiresAt: new Date(Date.now() - 1).toISOString() });
  expect(isKnown(known, 'a')).toBe(false);
});
