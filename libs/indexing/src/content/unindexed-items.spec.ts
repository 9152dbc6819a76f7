import { expect, jest, test } from '@jest/globals';
import { unavailable } from '@loci/contracts';
import { encodeDocument, encodedQuery, type EncodedText } from '@loci/models';
import { setTimeout as delay } from 'node:timers/promises';
import { turnsBeside } from '../../test/turns-beside.js';
import { indexBehind, type MostWaiting, UnindexedItems } from './unindexed-items.js';

const OWNER = 'owner';
const AMPLE_MS = 60_000;

interface Item {
  readonly uid: string;
  readonly text: string;
}

const items = (count: number): Item[] =>
  Array.from({ length: count }, (_, index) => ({ uid: `item ${index}`, text: `note number ${index}` }));

const textsOf = (some: readonly Item[]): EncodedText[] =>
  some.map(({ uid, text }) => ({ id: uid, words: encodeDocument(text) }));

/** Unindexed items, with a record of what it had indexed. */
function unindexedOf(
  waiting: Item[],
  {
    index = () => Promise.resolve(),
    budgetMs = AMPLE_MS,
  }: { index?: (uids: readonly string[]) => Promise<void>; budgetMs?: number } = {},
) {
  const indexed: string[][] = [];
  const content = {
    waiting: (_owner: string, { rows, bytes }: MostWaiting) => {
      const found = waiting.slice(0, rows);
      let before = 0;
      const items = found.filter(({ text }) => (before += text.length) - text.length < bytes);
      return Promise.resolve({ items, count: found.length });
    },
    textOf: ({ text }: Item) => text,
  };
  const bringInLine = async (_owner: string, uids: readonly string[]): Promise<void> => {
    await index(uids);
    indexed.push([...uids]);
  };
  const unindexed = new UnindexedItems(content, { bringInLine }, budgetMs);
  const cover = (query = 'anything') =>
    unindexed.cover(OWNER, { hasWaiting: waiting.length > 0 }, encodedQuery(query));
  return { cover, indexed };
}

test('nothing waits: nothing is indexed', async () => {
  const { cover, indexed } = unindexedOf([]);
  expect(await cover()).toEqual({ texts: [], behind: 0 });
  expect(indexed).toEqual([]);
});

test('within the budget everything is indexed, each once, and competes by its vector', async () => {
  const { cover, indexed } = unindexedOf(items(2_000));
  expect(await cover()).toEqual({ texts: [], behind: 0 });
  expect(indexed.flat().sort()).toEqual(
    items(2_000)
      .map(({ uid }) => uid)
      .sort(),
  );
});

test('what matches the query by words, and the newest, are indexed first', async () => {
  const waiting = items(1_000);
  waiting[900] = { uid: 'wanted', text: 'the zeppelin crossed the harbour' };
  const { cover, indexed } = unindexedOf(waiting);
  await cover('a zeppelin in the harbour');
  expect(indexed[0]).toEqual(['wanted', ...waiting.slice(0, 15).map(({ uid }) => uid)]);
});

test('at the end of the budget the rest is left to a search by words, and counted', async () => {
  const { cover, indexed } = unindexedOf(items(100), { budgetMs: 0, index: () => Promise.resolve() });
  const covered = await cover();
  expect(covered.behind).toBe(100 - indexed.flat().length);
  expect(covered.texts).toHaveLength(covered.behind);
  expect(covered.behind).toBeGreaterThan(0);
});

test('a step that does not end does not make the search wait beyond its budget', async () => {
  const never = () => new Promise<void>(() => undefined);
  expect(await unindexedOf(items(3), { budgetMs: 20, index: never }).cover()).toEqual({
    texts: textsOf(items(3)),
    behind: 3,
  });
});

test('a search whose budget ends while the rows are read waits for these, and reads them once', async () => {
  const waiting = jest.fn(() => delay(20, { items: items(3), count: 3 }));
  const content = { waiting, textOf: ({ text }: Item) => text };
  const bringInLine = () => new Promise<void>(() => undefined);
  const unindexed = new UnindexedItems(content, { bringInLine }, 0);
  expect(await unindexed.cover(OWNER, { hasWaiting: true }, encodedQuery('anything'))).toEqual({
    texts: textsOf(items(3)),
    behind: 3,
  });
  expect(waiting).toHaveBeenCalledTimes(1);
});

test('of long texts fewer are indexed at once, and one that is longer than a step alone', async () => {
  const waiting = [20_000, 3_000, 3_000, 3_000, 10, 10].map((length, index) => ({
    uid: `item ${index}`,
    text: 'word '.repeat(length / 5),
  }));
  const { cover, indexed } = unindexedOf(waiting);
  expect(await cover()).toEqual({ texts: [], behind: 0 });
  expect(indexed.map((step) => step.length)).toEqual([1, 2, 3]);
});

test('a text that takes the embedder seconds is left to the worker: it competes by its words, and is counted', async () => {
  const waiting = [{ uid: 'long', text: 'harbour '.repeat(5_000) }, ...items(3)];
  const { cover, indexed } = unindexedOf(waiting);
  const { texts, behind } = await cover();
  expect(indexed.flat().sort()).toEqual(items(3).map(({ uid }) => uid));
  expect([texts.map(({ id }) => id), behind]).toEqual([['long'], 1]);
});

test('no more is read than four mebibytes of text: the rest is counted, whatever it says', async () => {
  const waiting = Array.from({ length: 100 }, (_, index) => ({
    uid: `item ${index}`,
    text: 'harbour '.repeat(25_000),
  }));
  const { texts, behind } = await unindexedOf(waiting).cover();
  expect([texts.length, behind]).toEqual([21, 100]);
});

test('other requests have their turn while the words of long texts are counted', async () => {
  const waiting = Array.from({ length: 20 }, (_, index) => ({
    uid: `item ${index}`,
    text: 'harbour '.repeat(25_000),
  }));
  const [, turns] = await turnsBeside(() => unindexedOf(waiting).cover());
  expect(turns).toBeGreaterThanOrEqual(20);
});

test('more than a search looks at is counted as more', async () => {
  const { texts: left, behind } = await unindexedOf(items(2_500)).cover();
  expect(left).toEqual([]);
  expect(behind).toBe(1);
});

test('while nothing can be embedded, all of it is left to a search by words', async () => {
  const index = () => Promise.reject(unavailable('embedder_unavailable', 'down'));
  expect(await unindexedOf(items(3), { index }).cover()).toEqual({ texts: textsOf(items(3)), behind: 3 });
});

test('a defect is not taken for an outage', async () => {
  const index = () => Promise.reject(new TypeError('defect'));
  await expect(unindexedOf(items(3), { index }).cover()).rejects.toThrow('defect');
});

test('searches that come during a turn share the next one, which begins after they came', async () => {
  let release: () => void = () => undefined;
  const blocked = new Promise<void>((resolve) => (release = resolve));
  const waiting = items(1);
  const { cover, indexed } = unindexedOf(waiting, { index: () => blocked });
  const first = cover();
  await Promise.resolve();
  waiting.push({ uid: 'late', text: 'late' });
  const others = [cover(), cover()];
  release();
  await Promise.all([first, ...others]);
  expect(indexed).toHaveLength(2);
  expect(indexed.at(-1)).toContain('late');
});

test('an answer says how many competed without a vector', () => {
  expect(indexBehind({ texts: [], behind: 0 }, false)).toEqual([]);
  expect(indexBehind({ texts: [], behind: 7 }, false)).toEqual(['index_behind;waiting=7']);
  expect(indexBehind({ texts: [], behind: 0 }, true)).toEqual(['index_behind']);
});
