import { expect, test } from '@jest/globals';
import { unavailable } from '@loci/contracts';
import { Reranker } from '../reranker.js';
import { rerank } from './reranking.js';

/** Prefers long texts. */
class ByLength extends Reranker {
  readonly name = 'by-length';
  readonly weight: number = 1;

  score(_: string, candidates: readonly string[]): Promise<number[]> {
    return Promise.resolve(candidates.map((candidate) => candidate.length));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

class Down extends ByLength {
  override score(): Promise<number[]> {
    return Promise.reject(unavailable('reranker_unavailable', 'The reranker is down.'));
  }
}

const hits = ['a', 'abc', 'xyz'].map((content) => ({ content, score: 0.5 }));
const textOf = ({ content }: { content: string }): string => `ann: ${content}`;

test('with its full weight the order is that of the reranker, and equal ones keep their order', async () => {
  const { hits: reranked, degraded } = await rerank(() => Promise.resolve(new ByLength()), 'q', hits, textOf);
  expect(reranked.map(({ content, score }) => [content, score])).toEqual([
    ['abc', 1],
    ['xyz', 1],
    ['a', 0],
  ]);
  expect(degraded).toEqual([]);
});

test('with a part of it a hit that scores well by itself stays before one that is only long', async () => {
  class Weak extends ByLength {
    override readonly weight = 0.1;
  }
  const scored = hits.map((hit, index) => ({ ...hit, score: [0.9, 0.5, 0.6][index] ?? 0 }));
  const { hits: reranked, opinions } = await rerank(() => Promise.resolve(new Weak()), 'q', scored, textOf);
  expect(reranked.map(({ content }) => content)).toEqual(['a', 'xyz', 'abc']);
  for (const hit of reranked) {
    const { weight, opinion, scoreBefore } = opinions.get(hit) ?? { weight: 0, opinion: 0, scoreBefore: 0 };
    expect(hit.score).toBe((1 - weight) * scoreBefore + weight * opinion);
  }
  expect(reranked.map((hit) => opinions.get(hit)?.rank)).toEqual([3, 2, 1]);
  expect(reranked.map((hit) => opinions.get(hit)?.raw)).toEqual([6, 8, 8]);
});

test('a reranker that takes too long to be had is done without', async () => {
  const never = new Promise<Reranker>(() => undefined);
  const { hits: kept, degraded } = await rerank(() => never, 'q', hits, textOf);
  expect({ kept, degraded }).toEqual({ kept: hits, degraded: ['reranker_unavailable'] });
});

test('while the reranker is down the hits stay as they are, and the answer says so', async () => {
  expect(await rerank(() => Promise.resolve(new Down()), 'q', hits, textOf)).toEqual({
    hits,
    opinions: new Map(),
    degraded: ['reranker_unavailable'],
  });
});

test('without a reranker nothing changes', async () => {
  expect(await rerank(undefined, 'q', hits, textOf)).toEqual({ hits, opinions: new Map(), degraded: [] });
});
