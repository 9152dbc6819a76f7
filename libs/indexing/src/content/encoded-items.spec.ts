import { expect, test } from '@jest/globals';
import { encodeDocument } from '@loci/models';
import { turnsBeside } from '../../test/turns-beside.js';
import { EncodedItems } from './encoded-items.js';

const LONG = Array.from({ length: 20 }, (_, index) => ({
  id: `item ${index}`,
  text: `${index} `.repeat(30) + 'the ships of the harbour '.repeat(8_000),
}));

test('while the words of long texts are counted, others have their turn every few thousand characters', async () => {
  const [encoded, turns] = await turnsBeside(() => new EncodedItems().of(LONG));
  expect(encoded).toEqual(LONG.map(({ id, text }) => ({ id, words: encodeDocument(text) })));
  expect(turns).toBeGreaterThan(350);
});

test('what was counted is not counted again, unless its text has changed', async () => {
  const items = new EncodedItems();
  const first = await items.of(LONG);
  const [again, turns] = await turnsBeside(() => items.of(LONG));
  expect(again.every(({ words }, index) => words === first[index]?.words)).toBe(true);
  expect(turns).toBeLessThan(2);
  const changed = { id: 'item 0', text: 'another text' };
  expect(await items.of([changed])).toEqual([{ id: 'item 0', words: encodeDocument('another text') }]);
});
