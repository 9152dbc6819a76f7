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
    { most: 4, isLate: false },
  );
  expect(now).toEqual([
    added('large', 'one', ['a-0', 'a-1', 'a-2']),
    added('large', 'two', ['b-0']),
    added('small', 'three', ['d']),
  ]);
  expect(later).toEqual([added('large', 'one', ['c']), added('large', 'two', ['b-1', 'b-2'])]);
});

test('what is beyond is named by messages of four, each episode once', () => {
  const uids = uidsOf('a', 1_000);
  const { now, later } = inShares([added('large', 'one', uids)], {
    most: 64,
    isLate: false,
  });
  expect(later.map((message) => message.uids.length)).toEqual(Array<number>(234).fill(4));
  expect([...now, ...later].flatMap((message) => message.uids)).toEqual(uids);
});

test('nothing is left over of what fits', () => {
  const all = [added('small', 'one', ['a']), added('small', 'one', ['b'])];
  expect(inShares(all, { most: 2, isLate: false })).toEqual({ now: all, later: [] });
  expect(inShares(all, { most: 2, isLate: true })).toEqual({ now: all, later: [] });
});

test('when it is late, nothing is indexed now of an organization that added more than its share', () => {
  const small = added('small', 'three', uidsOf('s', 4));
  const { now, later } = inShares(
    [added('large', 'one', uidsOf('a', 3)), small, added('large', 'two', uidsOf('b', 2))],
    { most: 4, isLate: true },
  );
  expect(now).toEqual([small]);
  expect(later.flatMap(({ uids }) => uids)).toEqual([...uidsOf('b', 2), ...uidsOf('a', 3)]);
});

test('one that added more than its share beside a flood is not one of those who make it late', () => {
  const other = added('other', 'three', uidsOf('o', 5));
  const { now, later } = inShares([added('large', 'one', uidsOf('a', 100)), other], {
    most: 4,
    isLate: true,
  });
  expect(now).toEqual([added('other', 'three', uidsOf('o', 4))]);
  expect(later.flatMap(({ uids }) => uids)).toEqual(['o-4', ...uidsOf('a', 100)]);
});
