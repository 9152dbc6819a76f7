import { FakeModels } from '@loci/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { definitionsAt, noPeers, RERANKERS, testFactory } from '../../test/test-factory.js';
import { type Reranker } from '../reranker.js';

let fake: FakeModels;

beforeAll(async () => {
  fake = await FakeModels.start();
});
beforeEach(() => {
  fake.reset();
});
afterAll(async () => {
  await fake.close();
});

const local = (provider: string, config = {}, peers = noPeers): Promise<Reranker> =>
  testFactory().reranker({ kind: 'reranker', name: provider, provider, config }, peers);

describe.each(RERANKERS)('a reranker over %s', (provider) => {
  const build = (): Promise<Reranker> => testFactory().reranker(definitionsAt(fake)[provider], noPeers);

  test('gives one score per candidate in their order, whatever the order of the answer', async () => {
    const reranker = await build();
    const scores = await reranker.score('red apple', ['a green pear', 'a red apple', 'an apple']);
    expect(scores).toEqual([0, 1, 0.5]);
  });

  test('needs no request for no candidates, and takes empty ones', async () => {
    const reranker = await build();
    expect(await reranker.score('apple', [])).toEqual([]);
    expect(fake.calls()).toHaveLength(0);
    expect(await reranker.score('apple', ['', 'apple'])).toEqual([0, 1]);
  });

  test.each([
    ['500', { status: 500 }],
    ['429', { status: 429 }],
    ['invalid JSON', { kind: 'invalid_json' }],
    ['a truncated body', { kind: 'truncated' }],
    ['a reset connection', { kind: 'reset' }],
    ['a wrong shape', { kind: 'wrong_shape' }],
  ] as const)('an answer of %s is tried again', async (_, fault) => {
    fake.fail(fault);
    await expect((await build()).score('apple', ['apple'])).resolves.toEqual([1]);
  });

  test.each([401, 404])('an answer of %s is final', async (status) => {
    fake.fail({ status, times: 9 });
    await expect((await build()).score('apple', ['apple'])).rejects.toMatchObject({
      code: 'reranker_unavailable',
    });
    expect(fake.calls()).toHaveLength(1);
  });

  test('a slow answer is a timeout', async () => {
    // its own server: what was given up on the way may come late, and would count in the next test
    const slow = await FakeModels.start();
    try {
      slow.fail({ kind: 'hang' });
      const hasty = await testFactory({ limits: { attemptTimeoutMs: 20, maxAttempts: 1 } }).reranker(
        definitionsAt(slow)[provider],
        noPeers,
      );
      await expect(hasty.score('apple', ['apple'])).rejects.toMatchObject({ cause: { reason: 'timeout' } });
    } finally {
      await slow.close();
    }
  });
});

test('a reranker of TEI reads no more candidates at a time than the server takes, and no longer ones', async () => {
  const definition = definitionsAt(fake).teiReranker;
  const config = { ...definition.config, max_input_length: 10 };
  const reranker = await testFactory().reranker({ ...definition, config }, noPeers);
  const candidates = Array.from({ length: 70 }, (_, index) => (index === 69 ? 'red apple' : `grey ${index}`));
  const scores = await reranker.score('red apple', [...candidates, `${'x'.repeat(9)}\u{1f600}`]);
  expect(scores).toHaveLength(71);
  expect(Math.max(...scores)).toBe(scores[69]);
  expect(fake.calls().map(({ body }) => (body['texts'] as unknown[]).length)).toEqual([32, 32, 7]);
  expect(JSON.stringify(fake.calls().at(-1)?.body)).toContain(`"${'x'.repeat(9)}"`);
});

test('an embedder that reranks is told which text is the query', async () => {
  const definition = definitionsAt(fake).voyage;
  const embedder = await testFactory().embedder(definition);
  const peers = { ...noPeers, embedder: () => Promise.resolve(embedder) };
  const reranker = await local('embedder', { embedder_id: 'e' }, peers);
  fake.reset();
  await reranker.score('red apple', ['grey sky', 'red apple']);
  const types = fake.calls().map(({ body }) => [body['input_type'], (body['input'] as unknown[]).length]);
  expect(types.sort()).toEqual([
    ['document', 2],
    ['query', 1],
  ]);
});

test('identity keeps the order', async () => {
  expect(await (await local('identity')).score('anything', ['a', 'b', 'c'])).toEqual([2, 1, 0]);
});

describe('bm25', () => {
  test('reads the beginning of long texts, and lets others have their turn between them', async () => {
    const texts = ['', 'paint '].map((end) => `${'never '.repeat(20_000)}${end}`);
    let turns = 0;
    const count = (): void => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    const scores = await (
      await local('bm25')
    ).score('paint', [...texts, 'paint', ...Array<string>(20).fill('x')]);
    clearImmediate(next);
    expect(turns).toBeGreaterThanOrEqual(20);
    expect(scores.slice(0, 2)).toEqual([0, 0]);
    expect(scores[2]).toBeGreaterThan(0);
  });

  const texts = [
    'Anna went to the market',
    'Anna is painting a sunrise',
    'They swam in the lake',
    'A quiet day',
    'Rain',
  ];

  test('puts the candidate with the rarer word first and gives 0 where no word is shared', async () => {
    const scores = await (await local('bm25')).score('Did Anna paint?', texts);
    expect(scores[1]).toBeGreaterThan(scores[0]!);
    expect(scores[0]).toBeGreaterThan(0);
    expect(scores.slice(2)).toEqual([0, 0, 0]);
  });

  test('has the scores of Okapi BM25', async () => {
    const [first] = await (
      await local('bm25', { tokenizer: 'simple' })
    ).score('swam', ['they swam far', 'no', 'one']);
    const idf = Math.log(3 - 1 + 0.5) - Math.log(1.5);
    expect(first).toBeCloseTo((idf * 2.5) / (1 + 1.5 * (0.25 + (0.75 * 3) / (5 / 3))), 10);
  });

  test('with the simple tokenizer takes words as they are', async () => {
    const scores = await (await local('bm25', { tokenizer: 'simple' })).score('paint', texts);
    expect(scores).toEqual([0, 0, 0, 0, 0]);
  });

  test('of a word that most candidates have still ranks them before the others', async () => {
    const [a, b, c] = await (await local('bm25')).score('apple', ['apple', 'apple pie', 'pear tart']);
    expect(Math.min(a!, b!)).toBeGreaterThan(c!);
  });

  test.each([
    ['', texts],
    ['Anna', []],
    ['Anna', ['']],
  ])('of %j among %j gives no error', async (query, candidates) => {
    const scores = await (await local('bm25')).score(query, candidates);
    expect(scores).toEqual(candidates.map(() => 0));
  });
});

test('embedder scores by the similarity of a registered embedder', async () => {
  const embedder = await testFactory().embedder(definitionsAt(fake).openAiEmbedder);
  const peers = { ...noPeers, embedder: () => Promise.resolve(embedder) };
  const scores = await (
    await local('embedder', { embedder_id: 'e' }, peers)
  ).score('red apple', ['grey sky', 'red apple']);
  expect(scores[1]).toBeCloseTo(1, 5);
  expect(scores[0]).toBeLessThan(0.9);
});

describe('rrf-hybrid', () => {
  test('adds 1 / (k + rank) of each ranking', async () => {
    const members: Record<string, Reranker> = {
      identity: await local('identity'),
      bm25: await local('bm25'),
    };
    const peers = { ...noPeers, reranker: (name: string) => Promise.resolve(members[name]!) };
    const hybrid = await local('rrf-hybrid', { reranker_ids: ['identity', 'bm25'] }, peers);
    const [first, second] = await hybrid.score('apple', ['pear tart', 'apple pie', 'plum cake']);
    expect(first).toBeCloseTo(1 / 61 + 1 / 62, 10);
    expect(second).toBeCloseTo(1 / 62 + 1 / 61, 10);
  });

  test('is not made of itself', async () => {
    await expect(local('rrf-hybrid', { reranker_ids: ['rrf-hybrid'] })).rejects.toMatchObject({
      code: 'reranker_unavailable',
    });
  });
});
