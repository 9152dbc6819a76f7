import { expect, test } from '@jest/globals';
import { unavailable } from '@loci/contracts';
import { UnindexedItems } from './unindexed-items.js';

const OWNER = 'owner';

const items = (count: number): { uid: string }[] =>
  Array.from({ length: count }, (_, place) => ({ uid: `item ${place}` }));

/** Unindexed items, with a record of what it had indexed. */
function unindexedOf(
  waiting: { uid: string }[],
  index: (uids: readonly string[]) => Promise<void> = () => Promise.resolve(),
) {
  const indexed: string[][] = [];
  const content = {
    waiting: (_owner: string, limit: number) => Promise.resolve(waiting.slice(0, limit)),
  };
  const bringInLine = async (_owner: string, uids: readonly string[]): Promise<void> => {
    await index(uids);
    indexed.push([...uids]);
  };
  const unindexed = new UnindexedItems(content, { bringInLine });
  return { cover: () => unindexed.cover(OWNER, { hasWaiting: waiting.length > 0 }), indexed };
}

test('nothing waits: nothing is indexed', async () => {
  const { cover, indexed } = unindexedOf([]);
  expect(await cover()).toEqual({ items: [], isComplete: true });
  expect(indexed).toEqual([]);
});

test('the newest are indexed on the spot, the rest is left to a search by words', async () => {
  const { cover, indexed } = unindexedOf(items(20));
  expect(await cover()).toEqual({ items: items(20).slice(16), isComplete: true });
  expect(indexed).toEqual([
    items(20)
      .slice(0, 16)
      .map(({ uid }) => uid),
  ]);
});

test('more than a search looks at is said to be more', async () => {
  const covered = await unindexedOf(items(2_001)).cover();
  expect(covered.isComplete).toBe(false);
  expect(covered.items).toHaveLength(2_000 - 16);
});

test('while nothing can be embedded, all of it is left to a search by words', async () => {
  const down = () => Promise.reject(unavailable('embedder_unavailable', 'down'));
  expect(await unindexedOf(items(3), down).cover()).toEqual({ items: items(3), isComplete: true });
});

test('a defect is not taken for an outage', async () => {
  const defect = () => Promise.reject(new TypeError('defect'));
  await expect(unindexedOf(items(3), defect).cover()).rejects.toThrow('defect');
});

test('those who come while one is at it share the next turn, which begins after they came', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const waiting = items(1);
  const { cover, indexed } = unindexedOf(waiting, () => held);
  const first = cover();
  await Promise.resolve();
  waiting.push({ uid: 'late' });
  const others = [cover(), cover()];
  release();
  await Promise.all([first, ...others]);
  expect(indexed).toHaveLength(2);
  expect(indexed.at(-1)).toContain('late');
});
