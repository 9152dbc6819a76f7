import { FakeModels } from '@loci/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { definitionsAt, testFactory } from '../../test/test-factory.js';
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

describe.each(['openAiEmbedder', 'titan', 'cohereEmbedder'] as const)('an embedder over %s', (provider) => {
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
