import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { encodeDocument, encodeDocumentInParts, encodeQuery } from './bm25-encoder.js';
import { type SparseVector } from './sparse-vector.js';
import { termHash } from './term-hash.js';

const anyText = fc.string({ unit: 'binary', maxLength: 200 });

const weightOf = (text: string, term: string): number | undefined => {
  const { indices, values } = encodeDocument(text);
  return values[indices.indexOf(termHash(term))];
};

function inParts(text: string): { readonly vector: SparseVector; readonly parts: number } {
  const steps = encodeDocumentInParts(text);
  for (let parts = 0; ; parts += 1) {
    const step = steps.next();
    if (step.done) return { vector: step.value, parts };
  }
}

describe('a document', () => {
  test('weighs a term by k1 = 1.2, b = 1 and the average length 256', () => {
    const length = 3;
    const saturation = (1.2 * length) / 256;
    expect(weightOf('the apple and the apple of a pear', 'appl')).toBeCloseTo(
      (2 * 2.2) / (2 + saturation),
      12,
    );
    expect(weightOf('the apple and the apple of a pear', 'pear')).toBeCloseTo(2.2 / (1 + saturation), 12);
  });

  test('of any text has ascending unique 32-bit indices and weights between 0 and k1 + 1', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { indices, values } = encodeDocument(text);
        expect(values).toHaveLength(indices.length);
        expect(indices.every((index, at) => index > (indices[at - 1] ?? -1) && index < 2 ** 32)).toBe(true);
        expect(values.every((value) => value > 0 && value <= 2.2)).toBe(true);
      }),
    );
  });

  test('that is read in parts is the same, and no part of it takes long', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 20 }), (lines) => {
        const text = lines.join(' and 1,000 of ΣΊΣΥΦΟΣ’s\n'.repeat(50));
        expect(inParts(text).vector).toEqual(encodeDocument(text));
      }),
      { numRuns: 30 },
    );
    const long = 'harbour '.repeat(30_000);
    expect(inParts(long)).toEqual({ vector: encodeDocument(long), parts: 20 });
    expect(inParts('界。'.repeat(60_000)).parts).toBe(20);
  });

  test('without words has an empty vector', () => {
    expect(encodeDocument(' … !? ')).toEqual({ indices: [], values: [] });
  });
});

describe('a query', () => {
  test('weighs every distinct term 1 and leaves stop words out', () => {
    expect(encodeQuery('What did Anna paint, and is the painting hers?')).toEqual({
      indices: [termHash('anna'), termHash('paint')].sort((a, b) => a - b),
      values: [1, 1],
    });
  });

  test('of nothing but stop words asks for these, and documents have them', () => {
    const { indices } = encodeQuery('Who are you?');
    expect(indices).toHaveLength(3);
    expect(encodeDocument('You know who they are.').indices).toEqual(expect.arrayContaining([...indices]));
  });

  test('of any text finds the document of the same text, if it has a word', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const document = new Set(encodeDocument(text).indices);
        expect(encodeQuery(text).indices.filter((index) => !document.has(index))).toEqual([]);
        expect(encodeQuery(text).indices.length > 0).toBe(document.size > 0);
      }),
    );
  });
});

test('a megabyte of text costs no more than its first 100,000 characters', () => {
  const start = 'word '.repeat(20_000);
  expect(encodeDocument(start + 'unread '.repeat(150_000))).toEqual(encodeDocument(start));
});
