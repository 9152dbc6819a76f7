import { describe, expect, test } from '@jest/globals';
import { type Reranker } from '../src/reranker.js';

/** What every reranker promises. @param build gives one that is ready */
export function rerankerConformance(name: string, build: () => Promise<Reranker>): void {
  describe(`${name}, as every reranker`, () => {
    test('has a name', async () => {
      expect((await build()).name).not.toBe('');
    });

    test('gives one finite score per candidate', async () => {
      const scores = await (await build()).score('red apple', ['a red apple', 'an apple', 'a pear']);
      expect(scores).toHaveLength(3);
      expect(scores.every((score) => Number.isFinite(score))).toBe(true);
      expect(Math.max(...scores)).toBe(scores[0]);
    });

    test('takes an empty query, empty candidates, and none', async () => {
      const reranker = await build();
      expect(await reranker.score('', ['apple', ''])).toHaveLength(2);
      expect(await reranker.score('apple', ['', ''])).toHaveLength(2);
      expect(await reranker.score('apple', [])).toEqual([]);
    });

    test('closes, more than once', async () => {
      const reranker = await build();
      await reranker.close();
      await reranker.close();
    });
  });
}
