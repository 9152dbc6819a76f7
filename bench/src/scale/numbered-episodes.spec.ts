import { expect, test } from '@jest/globals';
import { batchesOf } from './numbered-episodes.js';

test('each episode knows the one before it in its project, in whatever batch that is', () => {
  const counts = new Map([
    ['a', 1_500],
    ['b', 3],
    ['c', 2_000],
  ]);
  const batches = [...batchesOf(counts)];
  expect(batches.map(({ length }) => length)).toEqual([1_000, 1_000, 1_000, 503]);
  const episodes = batches.flat();
  expect(new Set(episodes.map(({ uid }) => uid)).size).toBe(3_503);
  for (const [index, { n, previousUid, projectUid }] of episodes.entries()) {
    const before = n === 0 ? undefined : episodes[index - 1];
    expect(previousUid).toBe(before?.uid);
    if (before) expect(before).toMatchObject({ projectUid, n: n - 1 });
  }
});
