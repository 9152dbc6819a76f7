import { expect, test } from '@jest/globals';
import { type EpisodesReference } from '@loci/contracts';
import { inShares } from './shares.js';

const uidsOf = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name}-${index}`);

const added = (orgId: string, projectUid: string, uids: readonly string[]): EpisodesReference => ({
  tenant: { orgId, projectId: projectUid },
  projectUid,
  uids,
});

test('of each organization the first few are indexed now, however many projects it has', () => {
  const { now, later } = inShares(
    [
      added('large', 'one', uidsOf('a', 3)),
      added('large', 'two', uidsOf('b', 3)),
      added('large', 'one', ['c']),
      added('small', 'three', ['d']),
    ],
    4,
  );
  expect(now).toEqual([
    added('large', 'one', ['a-0', 'a-1', 'a-2']),
    added('large', 'two', ['b-0']),
    added('small', 'three', ['d']),
  ]);
  expect(later).toEqual([added('large', 'two', ['b-1', 'b-2']), added('large', 'one', ['c'])]);
});

test('what is beyond is named by messages of 64, each episode once', () => {
  const uids = uidsOf('a', 1_000);
  const { now, later } = inShares([added('large', 'one', uids)], 64);
  expect(later.map((message) => message.uids.length)).toEqual([...Array<number>(14).fill(64), 40]);
  expect([...now, ...later].flatMap((message) => message.uids)).toEqual(uids);
});

test('nothing is left over of what fits', () => {
  const all = [added('small', 'one', ['a']), added('small', 'one', ['b'])];
  expect(inShares(all, 2)).toEqual({ now: all, later: [] });
});
