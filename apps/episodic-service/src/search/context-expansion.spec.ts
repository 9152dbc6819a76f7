import { expect, test } from '@jest/globals';
import { contextSize, expand, expandInSteps } from './context-expansion.js';

test('one third of the context comes before, the rest behind, and the hit stays between them', () => {
  expect(contextSize(3, 10)).toMatchObject({ before: 1, after: 2 });
  expect(contextSize(100, 4)).toMatchObject({ before: 1, after: 2 });
  expect(contextSize(5, 1)).toMatchObject({ before: 0, after: 0 });
});

test('the context of each hit is looked for among the fewer messages, the more hits there may be', () => {
  expect([1, 20, 50, 1_000].map((topK) => contextSize(3, topK).within)).toEqual([1_000, 1_000, 400, 100]);
  expect(contextSize(500, 1_000).within).toBe(500);
});

test('neighbours count towards the number of hits, and nothing comes twice', () => {
  const context = new Map([
    ['a', ['b', 'c']],
    ['c', ['d']],
  ]);
  expect([...expand(['a', 'c', 'x'], context, 4)]).toEqual([
    ['a', 'a'],
    ['b', 'a'],
    ['c', 'a'],
    ['d', 'c'],
  ]);
});

test('without context the hits are what they were', () => {
  expect([...expand(['a', 'b', 'c'], new Map(), 2).keys()]).toEqual(['a', 'b']);
});

test('contexts are asked for in steps until the answer is full, with the same result', async () => {
  const hits = Array.from({ length: 100 }, (_, index) => `hit ${index}`);
  const contextOf = (hit: string): [string, string[]] => [hit, [`${hit} before`, `${hit} after`, 'shared']];
  for (const topK of [5, 30, 100, 1_000]) {
    const asked: string[] = [];
    const size = { before: 1, after: 2 };
    const found = await expandInSteps(
      hits,
      (some) => {
        asked.push(...some);
        return Promise.resolve(some.map(contextOf));
      },
      { topK, size },
    );
    expect([...found]).toEqual([...expand(hits, new Map(hits.map(contextOf)), topK)]);
    expect(asked).toEqual(hits.slice(0, asked.length));
    expect(asked.length).toBeLessThanOrEqual(Math.max(10, topK));
  }
});
