import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processorMicros } from '@loci/testing';
import { embedderConformance } from '../../test/embedder-conformance.js';
import { LocalEmbedder } from './local-embedder.js';
import { gteSmall, type LocalModel, miniLm } from './local-model.js';

let embedder: LocalEmbedder;

beforeAll(async () => {
  embedder = await LocalEmbedder.start();
});

afterAll(async () => {
  await embedder.close();
});

embedderConformance('the local one', () => Promise.resolve(embedder));

const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, dimension) => sum + value * (b[dimension] ?? NaN), 0);

async function similarity(one: string, other: string): Promise<number> {
  const [a, b] = await embedder.embed([one, other]);
  return dot(a!, b!);
}

test('sentences that mean the same are closer than those that do not', async () => {
  const similar = await similarity('A cat is sleeping on the rug.', 'A kitten naps on the carpet.');
  const unrelated = await similarity('A cat is sleeping on the rug.', 'The company reported higher revenue.');
  expect(similar).toBeGreaterThan(0.5);
  expect(unrelated).toBeLessThan(0.2);
});

test('its fingerprint fits in a collection name and its vectors have the dimensions that it says', async () => {
  const [vector] = await embedder.embed(['hello']);
  expect(embedder.fingerprint).toMatch(/^[a-z0-9_-]+$/);
  expect(vector).toHaveLength(embedder.dimensions);
});

test('the vector of a text does not depend on the texts embedded with it', async () => {
  const texts = Array.from(
    { length: 20 },
    (_, index) => `Turn ${index}: ${'we talked about it. '.repeat(index)}`,
  );
  const together = await embedder.embed(texts);
  for (const [index, text] of texts.entries()) {
    const [alone] = await embedder.embed([text], { priority: 'query' });
    expect([...together[index]!]).toEqual([...alone!]);
  }
});

test.each([
  ['nothing', ''],
  ['spaces', ' \n\t '],
  ['many scripts', 'Grüße, 你好, привет, สวัสดี, שלום, 🤷🏽‍♀️'],
  ['half a surrogate pair', '\ud83e and \udd37'],
  ['controls', '\u0000\u0007\uffff'],
  ['the special tokens of the model', '[CLS] [SEP] [MASK] [PAD]'],
])('%s has a vector of length 1', async (_, text) => {
  const [vector] = await embedder.embed([text]);
  expect(dot(vector!, vector!)).toBeCloseTo(1, 5);
});

describe('a text longer than the model reads', () => {
  test('and not divided is cut at the limit of tokens', async () => {
    const cutting = await LocalEmbedder.start({ model: { ...miniLm(), windowCharacters: Infinity } });
    try {
      const words = (count: number): string => 'word '.repeat(count);
      const [whole, longer, shorter] = await cutting.embed([words(254), words(5000), words(253)]);
      expect(dot(whole!, longer!)).toBeCloseTo(1, 6);
      expect(dot(whole!, shorter!)).toBeLessThan(1 - 1e-6);
    } finally {
      await cutting.close();
    }
  });

  test('is found by what stands at its end, and by what it is about in general', async () => {
    const bread = 'Knead the dough, let it rise in a warm room, and bake it in a hot oven. '.repeat(20);
    const tax = 'The tax return is due in April, and the receipts belong to the tax office. '.repeat(20);
    const question = 'When is the tax return due?';
    const atTheEnd = await similarity(`${bread}${tax}`, question);
    expect(atTheEnd).toBeGreaterThan((await similarity(bread, question)) + 0.2);
    expect(await similarity(`${bread}${tax}`, 'How is dough baked?')).toBeGreaterThan(0.2);
  });

  test('has the same vector alone and among others, and a query of it is much like it', async () => {
    const long = Array.from({ length: 400 }, (_, n) => `Sentence ${n} of a long answer.`).join(' ');
    const [, among] = await embedder.embed(['short', long, 'another']);
    const [alone] = await embedder.embed([long], { priority: 'query' });
    expect([...alone!]).toEqual([...among!]);
    expect(dot(alone!, alone!)).toBeCloseTo(1, 5);
    const [query] = await embedder.embed([long], { priority: 'query', inputType: 'query' });
    expect(dot(query!, alone!)).toBeGreaterThan(0.7);
  });

  test.each([
    ['one endless word', 'x'.repeat(1_000_000)],
    ['prose', 'the quick brown fox '.repeat(50_000)],
    ['letters that are tokens each', '猫'.repeat(1_000_000)],
    ['spaces before the words', `${' '.repeat(1_000_000)}hello`],
  ])('costs no more for being a megabyte: %s', async (_, text) => {
    expect(await processorMicros(() => embedder.embed([text]))).toBeLessThan(2_000_000);
  });
});

test.each(['unindexed', 'index'] as const)(
  'a query is answered while %s texts are embedded',
  async (priority) => {
    const answered: string[] = [];
    const texts = Array.from(
      { length: 200 },
      (_, index) => `Message ${index}: we went to the market and bought apples.`,
    );
    await Promise.all([
      embedder.embed(texts, { priority }).then(() => answered.push(priority)),
      embedder.embed(['What did we buy?'], { priority: 'query' }).then(() => answered.push('query')),
    ]);
    expect(answered).toEqual(['query', priority]);
  },
);

test('the event loop stays free during inference', async () => {
  const texts = Array.from({ length: 20 }, () => 'as many words as the model reads '.repeat(50));
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  await embedder.embed(texts);
  clearInterval(timer);
  // inference on this thread would leave one turn per text
  expect(turns).toBeGreaterThan(2 * texts.length);
});

test('a second start gives the same vectors', async () => {
  const other = await LocalEmbedder.start({ threads: 2 });
  try {
    const texts = ['Caroline went to the market.', 'Melanie painted a sunrise.'];
    const vectors = await embedder.embed(texts);
    const again = await other.embed(texts);
    expect(again.map((vector) => [...vector])).toEqual(vectors.map((vector) => [...vector]));
  } finally {
    await other.close();
  }
});

test('a closed embedder refuses to work', async () => {
  const closed = await LocalEmbedder.start();
  await closed.close();
  await expect(closed.embed(['hello'])).rejects.toMatchObject({ code: 'embedder_unavailable' });
});

test('weights that were changed are not loaded', async () => {
  const model = miniLm();
  const folder = await mkdtemp(join(tmpdir(), 'loci-model-'));
  try {
    const path = join(folder, 'tokenizer.json');
    await writeFile(path, (await readFile(model.tokenizer.path, 'utf8')).replace('"[UNK]"', '"[unk]"'));
    await expect(
      LocalEmbedder.start({ model: { ...model, tokenizer: { ...model.tokenizer, path } } }),
    ).rejects.toMatchObject({
      code: 'embedder_unavailable',
      message: expect.stringContaining('tokenizer.json has sha256'),
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a model file that is missing is refused', async () => {
  const model = miniLm();
  const missing = { ...model.weights, path: '/nowhere/model.onnx' };
  await expect(LocalEmbedder.start({ model: { ...model, weights: missing } })).rejects.toMatchObject({
    code: 'embedder_unavailable',
    message: expect.stringContaining('model.onnx cannot be read'),
  });
});

describe('gte-small, where its package is installed', () => {
  const gte = installed(gteSmall);

  (gte ? test : test.skip)('tells meanings apart, and reads 512 tokens', async () => {
    const larger = await LocalEmbedder.start({ model: gte ?? miniLm() });
    try {
      const similarityOf = async (texts: readonly [string, string]): Promise<number> => {
        const [a, b] = await larger.embed(texts);
        return dot(a!, b!);
      };
      const similar = await similarityOf(['A cat is sleeping on the rug.', 'A kitten naps on the carpet.']);
      const unrelated = await similarityOf(['A cat is sleeping on the rug.', 'Revenue rose this quarter.']);
      expect(similar).toBeGreaterThan(unrelated + 0.1);
      const words = (count: number): string => 'word '.repeat(count);
      expect(await similarityOf([words(510), words(5000)])).toBeCloseTo(1, 6);
      expect(await similarityOf([words(509), words(510)])).toBeLessThan(1 - 1e-7);
    } finally {
      await larger.close();
    }
  });
});

function installed(model: () => LocalModel): LocalModel | undefined {
  try {
    return model();
  } catch {
    return undefined;
  }
}
