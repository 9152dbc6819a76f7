import { describe, expect, test } from '@jest/globals';
import { MAX_SET_TAGS_CHARS, MAX_SETS_OF_MESSAGE } from '@loci/contracts';
import { identities, setsOfMetadata } from './sets-of-metadata.js';

const TENANT = { orgId: 'acme', projectId: 'main' };
const PROJECT = { tenant: TENANT, uid: '0197a3b2-4c5d-7e6f-8a9b-0c1d2e3f4a5b' };
const KEYS = Array.from({ length: 14 }, (_, index) => `key_${String(index).padStart(2, '0')}`);

/** Types of as many of the subsets of the keys. */
const typesOf = (count: number): { tags: string[]; projectUid: string }[] =>
  Array.from({ length: count }, (_, index) => ({
    tags: KEYS.filter((_key, bit) => (index + 1) & (1 << bit)),
    projectUid: PROJECT.uid,
  }));

const metadataOf = (value: string): Record<string, string> => ({
  ...Object.fromEntries(KEYS.map((key) => [key, value])),
  producer_id: 'ada',
  user_id: 'ada',
});

describe('a message whose metadata have the keys of very many types', () => {
  const found = identities(TENANT, typesOf(10_000), metadataOf('v'));

  test('belongs to the sets of its project, its organization and its producer, and to those of the first types', () => {
    expect(found.areAll).toBe(false);
    expect(found.identities).toHaveLength(MAX_SETS_OF_MESSAGE);
    expect(found.identities.slice(0, 3).map(({ tags }) => tags)).toEqual([{}, {}, { producer_id: 'ada' }]);
    expect(found.identities.slice(3).map(({ tags }) => Object.keys(tags))).toEqual(
      typesOf(MAX_SETS_OF_MESSAGE - 3).map(({ tags }) => tags),
    );
  });

  test('is found in all of them, and in the one that a client made for its user', () => {
    const sets = setsOfMetadata(PROJECT, typesOf(10_000), metadataOf('v'));
    expect(sets).toHaveLength(MAX_SETS_OF_MESSAGE + 1);
    expect(sets.at(-1)?.tags).toEqual({ user_id: 'ada' });
  });
});

test('long values make no more sets than fit, and keep no other type back', () => {
  const long = { ...metadataOf('v'.repeat(8_192)), room: 'kitchen' };
  const room = { tags: ['room'], projectUid: PROJECT.uid };
  const { identities: sets, areAll } = identities(TENANT, [...typesOf(5_000), room], long);
  expect(areAll).toBe(false);
  expect(JSON.stringify(sets.map(({ tags }) => tags)).length).toBeLessThan(MAX_SET_TAGS_CHARS + 2_048);
  expect(sets.at(-1)?.tags).toEqual({ room: 'kitchen' });
});

test('as many types as the sets that a message may have leave none out, each once', () => {
  const types = typesOf(MAX_SETS_OF_MESSAGE - 3);
  const found = identities(TENANT, [...types, ...types], metadataOf('v'));
  expect(found).toMatchObject({ areAll: true });
  expect(found.identities).toHaveLength(MAX_SETS_OF_MESSAGE);
});
