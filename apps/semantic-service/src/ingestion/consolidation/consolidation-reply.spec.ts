import { describe, expect, test } from '@jest/globals';
import { readConsolidation } from './consolidation-reply.js';

const IDS = ['a', 'b', 'c', 'd', 'e', 'f'];
const merge = (value: string, ...replaces: string[]): object => ({ feature: 'fact', value, replaces });
const read = (merged: object[], keep: string[] = [], maxRemoved = 3): unknown =>
  readConsolidation({ consolidated_memories: merged, keep_memories: keep }, IDS, maxRemoved);

describe('a merge accounts for what it takes away', () => {
  test('what no merge names is not touched', () => {
    expect(read([merge('a and b', 'a', 'b')])).toEqual([
      { name: 'fact', value: 'a and b', replaces: ['a', 'b'] },
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
      { name: 'fact', value: 'first', replaces: ['a', 'b'] },
      { name: 'fact', value: 'second', replaces: ['d', 'e'] },
    ]);
  });

  test('one feature in other words is no merge, and neither is nothing at all', () => {
    expect(read([merge('a again', 'a'), merge(' ', 'b', 'c')])).toEqual([]);
    expect(read([])).toEqual([]);
  });
});

test('merges beyond the share are left out; smaller ones after them are not', () => {
  expect(read([merge('everything', ...IDS), merge('two', 'a', 'b'), merge('three', 'c', 'd', 'e')])).toEqual([
    { name: 'fact', value: 'two', replaces: ['a', 'b'] },
    { name: 'fact', value: 'three', replaces: ['c', 'd', 'e'] },
  ]);
});
