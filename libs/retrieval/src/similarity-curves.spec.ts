import { expect, test } from '@jest/globals';
import { RELATED_PAIRS } from './related-pairs.js';
import { DEFAULT_CURVE, type EmbedTexts, SimilarityCurves } from './similarity-curves.js';

/** Of a question and its answer the cosine is `related`, of all others `unrelated`. */
function spreading(unrelated: number, related: number): EmbedTexts {
  const [shared, own] = [Math.sqrt(unrelated), Math.sqrt(related - unrelated)];
  const rest = Math.sqrt(1 - related);
  const size = RELATED_PAIRS.length;
  return (texts, inputType) =>
    Promise.resolve(
      texts.map((_, index) => {
        const vector = new Array<number>(1 + 2 * size + size).fill(0);
        vector[0] = shared;
        vector[1 + index] = own;
        vector[1 + size * (inputType === 'query' ? 1 : 2) + index] = rest;
        return vector;
      }),
    );
}

const refuse: EmbedTexts = () => Promise.reject(new Error('down'));

test('the curve of an embedder lies where its cosines lie', async () => {
  const curve = await new SimilarityCurves().of({
    fingerprint: 'some-model',
    embedForAll: spreading(0.73, 0.929),
  });
  expect(curve.midpoint).toBeCloseTo(0.818, 3);
  expect(curve.scale).toBeCloseTo(0.029, 3);
});

test('that of an embedder whose cosines are those of the embedded one is the same', async () => {
  const curve = await new SimilarityCurves().of({
    fingerprint: 'some-model',
    embedForAll: spreading(0.053, 0.728),
  });
  const embedded = await new SimilarityCurves().of({ fingerprint: 'minilm-l6-v2-int8', embedForAll: refuse });
  expect(curve.midpoint).toBeCloseTo(embedded.midpoint, 2);
  expect(curve.scale).toBeCloseTo(embedded.scale, 2);
});

test('it is found once, however many ask at a time', async () => {
  const curves = new SimilarityCurves();
  let requests = 0;
  const embed: EmbedTexts = (texts, inputType) => {
    requests += 1;
    return spreading(0.3, 0.8)(texts, inputType);
  };
  const found = await Promise.all([
    curves.of({ fingerprint: 'some-model', embedForAll: embed }),
    curves.of({ fingerprint: 'some-model', embedForAll: embed }),
  ]);
  expect(await curves.of({ fingerprint: 'some-model', embedForAll: embed })).toEqual(found[0]);
  expect(requests).toBe(2);
});

test('while the embedder does not answer the default counts, and the next call asks again', async () => {
  const curves = new SimilarityCurves();
  expect(await curves.of({ fingerprint: 'some-model', embedForAll: refuse })).toEqual(DEFAULT_CURVE);
  expect(
    (await curves.of({ fingerprint: 'some-model', embedForAll: spreading(0.73, 0.929) })).midpoint,
  ).toBeCloseTo(0.818, 3);
});

test('an embedder that tells nothing apart has the default', async () => {
  expect(
    await new SimilarityCurves().of({ fingerprint: 'some-model', embedForAll: spreading(0.5, 0.5) }),
  ).toEqual(DEFAULT_CURVE);
});
