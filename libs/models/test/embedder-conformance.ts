import { describe, expect, test } from '@jest/globals';
import { type Embedder } from '../src/embedder.js';

const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, dimension) => sum + value * (b[dimension] ?? NaN), 0);

/** What every embedder promises. @param build gives one that is ready; the suite leaves it open */
export function embedderConformance(name: string, build: () => Promise<Embedder>): void {
  describe(`${name}, as every embedder`, () => {
    test('has a fingerprint that can name a collection', async () => {
      expect((await build()).fingerprint).toMatch(/^[a-z0-9_-]+$/);
    });

    test('gives one vector of length 1 per text, each of its dimensions, the same for the same text', async () => {
      const embedder = await build();
      const vectors = await embedder.embed(['the cat sleeps', 'annual revenue grew', 'the cat sleeps']);
      expect(vectors).toHaveLength(3);
      for (const vector of vectors) {
        expect(vector).toHaveLength(embedder.dimensions);
        expect(dot(vector, vector)).toBeCloseTo(1, 4);
      }
      const [first, second, third] = vectors;
      expect(dot(first!, third!)).toBeCloseTo(1, 4);
      expect(dot(first!, second!)).toBeLessThan(0.999);
    });

    test('gives vectors in the order of the texts', async () => {
      const embedder = await build();
      const [cat, revenue] = await embedder.embed(['the cat sleeps', 'annual revenue grew']);
      const [again] = await embedder.embed(['annual revenue grew']);
      expect(dot(again!, revenue!)).toBeGreaterThan(dot(again!, cat!));
    });

    test('takes an empty text, a very long one, and none', async () => {
      const embedder = await build();
      const vectors = await embedder.embed(['', 'word '.repeat(20_000)]);
      for (const vector of vectors) expect(dot(vector, vector)).toBeCloseTo(1, 4);
      expect(await embedder.embed([])).toEqual([]);
    });

    test('gives up with the reason of a signal', async () => {
      const embedder = await build();
      const reason = new Error('no longer wanted');
      const embedding = embedder.embed(['text'], { signal: AbortSignal.abort(reason) });
      await expect(embedding).rejects.toBe(reason);
    });
  });
}
