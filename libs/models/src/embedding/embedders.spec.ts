import { FakeModels } from '@loci/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { definitionsAt, EMBEDDERS, testFactory } from '../../test/test-factory.js';
import { type Embedder } from '../embedder.js';
import { type ResourceDefinition } from '../resource-definition.js';

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

const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, dimension) => sum + value * (b[dimension] ?? NaN), 0);

function openAi(config: ResourceDefinition['config'] = {}): Promise<Embedder> {
  const definition = definitionsAt(fake).openAiEmbedder;
  return testFactory().embedder({ ...definition, config: { ...definition.config, ...config } });
}

describe.each(EMBEDDERS)('an embedder over %s', (provider) => {
  const build = (): Promise<Embedder> => testFactory().embedder(definitionsAt(fake)[provider]);

  test('learns its dimensions and gives vectors of length 1, near where texts are alike', async () => {
    const embedder = await build();
    const [cat, kitten, report] = await embedder.embed([
      'the cat sleeps',
      'the cat plays',
      'annual revenue grew',
    ]);
    expect(embedder.dimensions).toBe(cat!.length);
    expect(dot(cat!, cat!)).toBeCloseTo(1, 5);
    expect(dot(cat!, kitten!)).toBeGreaterThan(dot(cat!, report!));
    expect(embedder.fingerprint).toMatch(/^[a-z0-9_-]+$/);
  });

  test('an empty text has a vector like any other, and no texts need no request', async () => {
    const embedder = await build();
    const [vector] = await embedder.embed([' ']);
    expect(dot(vector!, vector!)).toBeCloseTo(1, 5);
    const calls = fake.calls().length;
    expect(await embedder.embed([])).toEqual([]);
    expect(fake.calls()).toHaveLength(calls);
  });

  test.each([
    ['500', { status: 500 }],
    ['429', { status: 429 }],
    ['invalid JSON', { kind: 'invalid_json' }],
    ['a truncated body', { kind: 'truncated' }],
    ['a reset connection', { kind: 'reset' }],
    ['a wrong shape', { kind: 'wrong_shape' }],
  ] as const)('an answer of %s is tried again', async (_, fault) => {
    const embedder = await build();
    fake.fail(fault);
    await expect(embedder.embed(['text'])).resolves.toHaveLength(1);
  });

  test.each([401, 404])('an answer of %s is final', async (status) => {
    const embedder = await build();
    const calls = fake.calls().length;
    fake.fail({ status, times: 9 });
    await expect(embedder.embed(['text'])).rejects.toMatchObject({ code: 'embedder_unavailable' });
    expect(fake.calls()).toHaveLength(calls + 1);
  });

  test('is not built while the provider is down, if its dimensions are not known', async () => {
    fake.fail({ status: 401, times: 9 });
    await expect(build()).rejects.toMatchObject({ code: 'embedder_unavailable' });
  });
});

const TEXTS = ['the cat sleeps', 'annual revenue grew'];

/** What tells the provider a query from a document. */
const INPUT_TYPES = {
  voyage: { query: { input_type: 'query' }, document: { input_type: 'document' } },
  jina: { query: { task: 'retrieval.query' }, document: { task: 'retrieval.passage' } },
  cohereNative: { query: { input_type: 'search_query' }, document: { input_type: 'search_document' } },
  cohereEmbedder: { query: { input_type: 'search_query' }, document: { input_type: 'search_document' } },
  tei: { query: { prompt_name: 'query' }, document: { prompt_name: 'passage' } },
  ollamaEmbedder: {
    query: { input: TEXTS.map((text) => `search_query: ${text}`) },
    document: { input: TEXTS.map((text) => `search_document: ${text}`) },
  },
} as const;

const TOLD_APART = {
  query_prompt_name: 'query',
  document_prompt_name: 'passage',
  query_prefix: 'search_query: ',
  document_prefix: 'search_document: ',
};

describe.each(Object.entries(INPUT_TYPES))('texts of %s', (provider, wanted) => {
  const build = (config: ResourceDefinition['config'] = {}): Promise<Embedder> => {
    const definition = definitionsAt(fake)[provider as keyof typeof INPUT_TYPES];
    return testFactory().embedder({ ...definition, config: { ...definition.config, ...config } });
  };

  test('are told as queries or documents; documents unless said otherwise', async () => {
    const embedder = await build(TOLD_APART);
    fake.reset();
    await embedder.embed(TEXTS, { inputType: 'query', priority: 'query' });
    await embedder.embed(TEXTS, { inputType: 'document', priority: 'query' });
    await embedder.embed(TEXTS);
    const bodies = fake.calls().map(({ body }) => body);
    expect(bodies).toMatchObject([wanted.query, wanted.document, wanted.document]);
  });

  test('go in as many requests as the provider wants', async () => {
    const embedder = await build({ batch_size: 32 });
    fake.reset();
    const many = Array.from({ length: 70 }, (_, index) => `note ${index}`);
    expect(await embedder.embed(many)).toHaveLength(70);
    expect(fake.calls()).toHaveLength(3);
  });

  test('have vectors of the dimensions that are set, or are refused', async () => {
    const isFixed = provider === 'cohereEmbedder';
    if (!isFixed) expect((await (await build({ dimensions: 256 })).embed(TEXTS))[0]).toHaveLength(256);
    const embedder = await build({ dimensions: 7 });
    const seven = [1, 2, 3];
    fake.fail({
      status: 200,
      body: provider === 'tei' ? [seven] : { data: [{ embedding: seven }], embeddings: { float: [seven] } },
    });
    if (provider === 'ollamaEmbedder') {
      fake.reset();
      fake.fail({ status: 200, body: { embeddings: [seven] } });
    }
    await expect(embedder.embed(['text'])).rejects.toMatchObject({
      code: 'embedder_unavailable',
      message: expect.stringContaining('set dimensions to 3'),
    });
  });
});

test('a document that is prepared in another way has a fingerprint of its own', async () => {
  const at = async (config: object): Promise<string> => {
    const definition = definitionsAt(fake).ollamaEmbedder;
    return (await testFactory().embedder({ ...definition, config: { ...definition.config, ...config } }))
      .fingerprint;
  };
  const plain = await at({ dimensions: 8 });
  expect(await at({ dimensions: 8, query_prefix: 'search_query: ' })).toBe(plain);
  expect(await at({ dimensions: 8, document_prefix: 'search_document: ' })).not.toBe(plain);
});

test('dimensions are asked for, and no longer when the server complains', async () => {
  const embedder = await openAi({ dimensions: 1536 });
  fake.fail({
    status: 400,
    body: { error: { message: 'This model does not support specifying dimensions.' } },
  });
  await embedder.embed(['one']);
  await embedder.embed(['two']);
  expect(fake.calls().map(({ body }) => body['dimensions'])).toEqual([1536, undefined, undefined]);
});

test('vectors of other dimensions than configured are refused with the number to configure', async () => {
  const embedder = await openAi({ dimensions: 8 });
  fake.fail({ status: 400, body: { error: { message: 'dimensions: unknown key' } } });
  await expect(embedder.embed(['one'])).rejects.toMatchObject({
    code: 'embedder_unavailable',
    message: expect.stringContaining('set dimensions to 1536'),
  });
});

test('texts go in batches, and vectors come back in the sequence of the texts', async () => {
  const embedder = await openAi({ dimensions: 16, batch_size: 2 });
  const texts = ['red', 'green', 'blue', 'black', 'white'];
  const vectors = await embedder.embed(texts);
  expect(fake.calls()).toHaveLength(3);
  for (const [index, text] of texts.entries()) {
    const [alone] = await embedder.embed([text]);
    expect(vectors[index]).toEqual(alone);
  }
});

test('a text that is too long has the average of its parts', async () => {
  const embedder = await openAi({ dimensions: 16, max_input_length: 4 });
  const [whole, red, blue] = await embedder.embed(['red blue', 'red ', 'blue']);
  const sum = red!.map((value, dimension) => value + blue![dimension]!);
  const length = Math.hypot(...sum);
  expect([...whole!].map((value) => value.toFixed(5))).toEqual(
    [...sum].map((value) => (value / length).toFixed(5)),
  );
});

describe('a text of more tokens than characters', () => {
  /** 7,800 characters, 11,050 tokens. */
  const emoji = '😀 '.repeat(2_600);

  test('has the average of parts that the provider reads, and others the vectors that they have without it', async () => {
    const embedder = await openAi({ dimensions: 16 });
    const notes = Array.from({ length: 63 }, (_, n) => `note ${n}`);
    const alone = await embedder.embed(notes);
    const [first, ...others] = await embedder.embed([...notes.slice(0, 31), emoji, ...notes.slice(31)]);
    expect([first, ...others.slice(0, 30), ...others.slice(31)]).toEqual(alone);
    expect(dot(others[30]!, others[30]!)).toBeCloseTo(1, 5);
    expect(dot(others[30]!, (await embedder.embed(['😀 😀']))[0]!)).toBeCloseTo(1, 5);
  });

  test('has the vector that it has alone, whatever it is embedded with', async () => {
    const embedder = await openAi({ dimensions: 16 });
    const text = `It rains. ${emoji} The sun shines.`;
    const [alone] = await embedder.embed([text]);
    expect((await embedder.embed(['note', text, emoji]))[1]).toEqual(alone);
  });

  test('is refused when the provider does not read its parts either, however small, soon', async () => {
    const embedder = await openAi({ dimensions: 16 });
    const body = { error: { message: "This model's maximum context length is 1 tokens.", code: null } };
    fake.fail({ status: 400, body, times: 1_000 });
    await expect(embedder.embed([emoji, ...Array<string>(63).fill('note')])).rejects.toMatchObject({
      code: 'model_input_too_long',
    });
    expect(fake.calls().length).toBeLessThan(25);
  });
});

test('texts that are too many tokens for a request go in several', async () => {
  const embedder = await openAi({ dimensions: 16 });
  const texts = Array.from({ length: 60 }, () => '\u1230'.repeat(2_700));
  expect(await embedder.embed(texts)).toHaveLength(60);
  expect(fake.calls()).toHaveLength(3);
});

test.each([
  ['the model', { model: 'other' }],
  ['the dimensions', { dimensions: 32 }],
  ['the length of the parts', { max_input_length: 100 }],
])('the fingerprint tells %s', async (_, config) => {
  const [one, same, other] = await Promise.all([
    openAi({ dimensions: 16 }),
    openAi({ dimensions: 16, api_key: 'another' }),
    openAi({ dimensions: 16, ...config }),
  ]);
  expect(same.fingerprint).toBe(one.fingerprint);
  expect(other.fingerprint).not.toBe(one.fingerprint);
});
