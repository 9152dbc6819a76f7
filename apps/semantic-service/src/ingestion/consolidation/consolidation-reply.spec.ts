import { describe, expect, test } from '@jest/globals';
import { readConsolidation, readContradictions } from './consolidation-reply.js';

const IDS = ['a', 'b', 'c', 'd', 'e', 'f'];
const SHOWN = IDS.map((uid) => ({
  uid,
  category: uid === 'f' ? 'other' : 'profile',
  tag: uid === 'b' ? 'work' : 'facts',
}));
const merge = (value: string, ...replaces: string[]): object => ({ feature: 'fact', value, replaces });
const OF_PROFILE = { category: 'profile', tag: 'facts' };
const read = (merged: object[], keep: string[] = [], maxRemoved = 3): unknown =>
  readConsolidation({ consolidated_memories: merged, keep_memories: keep }, SHOWN, maxRemoved);

describe('a merge accounts for what it takes away', () => {
  test('what no merge names is not touched', () => {
    expect(read([merge('a and b', 'a', 'b')])).toEqual([
      { ...OF_PROFILE, name: 'fact', value: 'a and b', replaces: ['a', 'b'] },
    ]);
  });

  test('one that names nothing makes the reply unusable', () => {
    expect(() => read([{ feature: 'fact', value: 'all in one' }])).toThrow(
      expect.objectContaining({ code: 'model_reply_unusable' }),
    );
  });

  test('what is to be kept, was never shown, or is in another merge already, is not replaced', () => {
    const merges = [merge('first', 'a', 'b', 'c', 'unknown'), merge('second', 'b', 'd', 'e', 'd')];
    expect(read(merges, ['c'])).toEqual([
      { ...OF_PROFILE, name: 'fact', value: 'first', replaces: ['a', 'b'] },
      { ...OF_PROFILE, name: 'fact', value: 'second', replaces: ['d', 'e'] },
    ]);
  });

  test('features of another category than the first stay', () => {
    expect(read([merge('all', 'a', 'b', 'f'), merge('none', 'c', 'f')])).toEqual([
      { ...OF_PROFILE, name: 'fact', value: 'all', replaces: ['a', 'b'] },
    ]);
  });

  test('its tag is that of one of the features that it replaces', () => {
    expect(read([{ ...merge('a and b', 'a', 'b'), tag: 'work' }])).toMatchObject([{ tag: 'work' }]);
    expect(read([{ ...merge('a and b', 'a', 'b'), tag: 'new' }])).toMatchObject([{ tag: 'facts' }]);
  });

  test('one feature in other words is no merge, and neither is nothing at all', () => {
    expect(read([merge('a again', 'a'), merge(' ', 'b', 'c'), merge('\u200b', 'd', 'e')])).toEqual([]);
    expect(read([])).toEqual([]);
  });
});

test('merges beyond the share are left out; smaller ones after them are not', () => {
  expect(read([merge('everything', ...IDS), merge('two', 'a', 'b'), merge('three', 'c', 'd', 'e')])).toEqual([
    { ...OF_PROFILE, name: 'fact', value: 'two', replaces: ['a', 'b'] },
    { ...OF_PROFILE, name: 'fact', value: 'three', replaces: ['c', 'd', 'e'] },
  ]);
});

test('a contradiction is one of two features of one category that were shown', () => {
  const given = [['a', 'b'], ['a', 'f'], ['a', 'a'], ['a', 'unknown'], ['a', 'b', 'c'], 'a', ['d', 'c']];
  expect(readContradictions({ contradictions: given }, SHOWN)).toEqual([
    { category: 'profile', uids: ['a', 'b'] },
    { category: 'profile', uids: ['d', 'c'] },
  ]);
  expect(readContradictions({}, SHOWN)).toEqual([]);
  const many = Array.from({ length: 30 }, () => ['a', 'b']);
  expect(readContradictions({ contradictions: many }, SHOWN)).toHaveLength(20);
});
