import { expect, test } from '@jest/globals';
import { type TimedHit } from '@loci/retrieval';
import { type Episode } from '../episodes/episode.js';
import { firstMatching, type MatchingEpisodes } from './first-matching.js';

const rankingOf = (length: number): TimedHit[] =>
  Array.from(
    { length },
    (_, rank) => ({ id: String(rank), score: 1 - rank / length, createdAt: '' }) as never,
  );

/** Episodes of which only some match, in which it is noted how many were read and tested by each statement. */
function stored(matches: (rank: number) => boolean) {
  const read: number[] = [];
  const tested: number[] = [];
  const matching = (uids: readonly string[]): string[] => uids.filter((uid) => matches(Number(uid)));
  const episodes: MatchingEpisodes = {
    findMatching: (_, uids) => {
      read.push(uids.length);
      return Promise.resolve(matching(uids).map((uid) => ({ uid }) as Episode));
    },
    matchingUids: (_, uids) => {
      tested.push(uids.length);
      return Promise.resolve(matching(uids).toReversed());
    },
  };
  return { episodes, read, tested };
}

const wanted = (count: number) => ({ projectUid: '', filter: undefined, count, maxBytes: 1 });

test('a ranking of which all match is read by one statement', async () => {
  const { episodes, read, tested } = stored(() => true);
  const found = await firstMatching(episodes, rankingOf(1_000), wanted(10));
  expect(found.map(({ uid }) => uid)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
  expect([read, tested]).toEqual([[10], []]);
});

test('a long ranking of which none matches takes few statements, and reads no text', async () => {
  const { episodes, read, tested } = stored(() => false);
  expect(await firstMatching(episodes, rankingOf(10_000), wanted(1))).toEqual([]);
  expect(read).toEqual([1]);
  expect(tested.length).toBeLessThanOrEqual(8);
});

test('what matches is found in the sequence of the ranking, and no more is read than is wanted', async () => {
  const { episodes, read } = stored((rank) => rank % 40 === 3);
  const found = await firstMatching(episodes, rankingOf(5_000), wanted(5));
  expect(found.map(({ uid }) => uid)).toEqual(['3', '43', '83', '123', '163']);
  expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).toSorted((a, b) => b - a));
  expect(Math.max(...read)).toBe(5);
});
