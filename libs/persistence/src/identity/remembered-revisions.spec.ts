import { expect, test } from '@jest/globals';
import { RememberedRevisions } from './remembered-revisions.js';

interface Page {
  readonly text: string;
}

const pageNow = (text: string, revision = 1) => Promise.resolve({ revision, value: { text } });

const newMemory = () => new RememberedRevisions<Page>(20, ({ text }) => text.length);

test('what has the same revision is not read again', async () => {
  const remembered = newMemory();
  await remembered.find('a', 1, () => pageNow('first'));
  expect(await remembered.find('a', 1, () => pageNow('not read'))).toEqual({ text: 'first' });
});

test('another revision is read, and what was read counts as the revision that it says', async () => {
  const remembered = newMemory();
  await remembered.find('a', 1, () => pageNow('first', 1));
  expect(await remembered.find('a', 2, () => pageNow('third', 3))).toEqual({ text: 'third' });
  expect(await remembered.find('a', 3, () => pageNow('not read', 3))).toEqual({ text: 'third' });
});

test('what is gone is forgotten', async () => {
  const remembered = newMemory();
  await remembered.find('a', 1, () => pageNow('first'));
  expect(await remembered.find('a', 2, () => Promise.resolve(undefined))).toBeUndefined();
  expect(await remembered.find('a', 1, () => pageNow('again'))).toEqual({ text: 'again' });
});

test('those who ask at once have it read once, and one whose reading fails fails alone', async () => {
  const remembered = newMemory();
  let reads = 0;
  const read = () => pageNow(`read ${(reads += 1)}`);
  expect(await Promise.all([1, 2, 3].map(() => remembered.find('a', 1, read)))).toEqual(
    Array(3).fill({ text: 'read 1' }),
  );
  const late = () => Promise.reject(new Error('late'));
  const [first, second] = await Promise.allSettled([
    remembered.find('b', 1, late),
    remembered.find('b', 1, read),
  ]);
  expect(first).toMatchObject({ status: 'rejected' });
  expect(second).toEqual({ status: 'fulfilled', value: { text: 'read 2' } });
});

test('no more is kept than fits: what was asked for last stays', async () => {
  const remembered = newMemory();
  await remembered.find('a', 1, () => pageNow('a'.repeat(15)));
  await remembered.find('b', 1, () => pageNow('b'.repeat(15)));
  expect(await remembered.find('b', 1, () => pageNow('not read'))).toEqual({ text: 'b'.repeat(15) });
  expect(await remembered.find('a', 1, () => pageNow('read again'))).toEqual({ text: 'read again' });
});
