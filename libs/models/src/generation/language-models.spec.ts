import { Metrics } from '@loci/platform';
import { eventually, FakeModels } from '@loci/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { definitionsAt, testFactory } from '../../test/test-factory.js';
import { type LanguageModel } from '../language-model.js';

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

const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const jsonRequest = {
  messages: [{ role: 'user', content: 'Where?' }],
  schema: SCHEMA,
  schemaName: 'city',
} as const;
const textRequest = { messages: [{ role: 'user', content: 'Say hello.' }] } as const;

describe.each(['responses', 'chat', 'converse'] as const)('a language model over %s', (provider) => {
  const metrics = new Metrics('test');
  let model: LanguageModel;

  beforeEach(async () => {
    model = await testFactory({ metrics }).languageModel(definitionsAt(fake)[provider]);
  });

  test('replies with text and tells what it cost', async () => {
    fake.reply('hello', 'Good day!');
    const used: number[] = [];
    const reply = await model.generateText({
      ...textRequest,
      onUsage: ({ inputTokens, outputTokens }) => used.push(inputTokens, outputTokens),
    });
    expect(reply.text).toBe('Good day!');
    expect(used).toHaveLength(2);
    expect(used.every((tokens) => tokens > 0)).toBe(true);
    expect(await metrics.render()).toMatch(/model_tokens_total\{[^}]*direction="out"[^}]*\} \d+/);
  });

  test('gives JSON that fits the schema', async () => {
    fake.reply('Where', { city: 'Rome' });
    expect(await model.generateJson(jsonRequest)).toEqual({ value: { city: 'Rome' } });
    expect(fake.calls()).toHaveLength(1);
  });

  test('repairs a reply that does not fit, showing it and what is wrong', async () => {
    fake.reply('Where', { town: 'Rome' }, 1);
    fake.reply("That reply can't be used", { city: 'Rome' });
    expect(await model.generateJson(jsonRequest)).toEqual({ value: { city: 'Rome' } });
    expect(JSON.stringify(fake.calls()[1]?.body)).toContain('town');
    expect(JSON.stringify(fake.calls()[1]?.body)).toContain('city');
  });

  test('gives up on a model that never replies with the JSON, after one repair', async () => {
    fake.reply(/./, 'I would rather not say {');
    await expect(model.generateJson(jsonRequest)).rejects.toMatchObject({ code: 'model_reply_unusable' });
    expect(fake.calls()).toHaveLength(2);
  });

  test('an empty text is unusable', async () => {
    fake.reply(/./, '');
    await expect(model.generateText(textRequest)).rejects.toMatchObject({ code: 'model_reply_unusable' });
  });

  test.each([
    ['500', { status: 500 }],
    ['invalid JSON', { kind: 'invalid_json' }],
    ['a truncated body', { kind: 'truncated' }],
    ['a reset connection', { kind: 'reset' }],
    ['a wrong shape', { kind: 'wrong_shape' }],
    ['429', { status: 429 }],
  ] as const)('an answer of %s is tried again', async (_, fault) => {
    fake.fail(fault);
    fake.reply('hello', 'Good day!');
    expect(await model.generateText(textRequest)).toEqual({ text: 'Good day!' });
    expect(fake.calls()).toHaveLength(2);
  });

  test.each([
    ['401', { status: 401 }, 'language_model_unavailable'],
    ['403', { status: 403 }, 'language_model_unavailable'],
    ['404', { status: 404 }, 'language_model_unavailable'],
    [
      'a redirect',
      { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
      'language_model_unavailable',
    ],
    ['too long an input', { status: 413 }, 'model_input_too_long'],
  ] as const)('an answer of %s is final and keeps the key to itself', async (_, fault, code) => {
    fake.fail({ ...fault, times: 9 });
    const failure: unknown = await model.generateText(textRequest).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code });
    expect(JSON.stringify(failure) + String(failure)).not.toContain('the-secret-key');
    expect(fake.calls()).toHaveLength(1);
  });

  test('a Retry-After that is longer than allowed is handed to the caller', async () => {
    fake.fail({ status: 429, headers: { 'retry-after': '600' } });
    await expect(model.generateText(textRequest)).rejects.toMatchObject({
      code: 'language_model_unavailable',
      details: { retryAfterSeconds: 600 },
    });
    expect(fake.calls()).toHaveLength(1);
  });

  test('a slow answer is a timeout', async () => {
    // its own server: what was given up on the way may come late, and would count in the next test
    const slow = await FakeModels.start();
    try {
      slow.fail({ kind: 'hang' });
      const hasty = await testFactory({ limits: { attemptTimeoutMs: 20, maxAttempts: 1 } }).languageModel(
        definitionsAt(slow)[provider],
      );
      await expect(hasty.generateText(textRequest)).rejects.toMatchObject({
        code: 'language_model_unavailable',
        cause: { reason: 'timeout' },
      });
    } finally {
      await slow.close();
    }
  });

  test('a caller that gives up is not kept waiting', async () => {
    fake.fail({ kind: 'hang' });
    const reason = new Error('the caller has gone');
    await expect(model.generateText({ ...textRequest, signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
    const controller = new AbortController();
    const waiting = model.generateText({ ...textRequest, signal: controller.signal });
    await eventually(() => fake.calls().length === 1, { what: 'the model is asked' });
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });
});

describe('what a provider says about its reply', () => {
  test.each([
    [
      'responses',
      { output: [], status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
      /cut off/,
    ],
    [
      'responses',
      { output: [{ type: 'message', content: [{ type: 'refusal', refusal: 'no' }] }] },
      /refused/,
    ],
    ['chat', { choices: [{ message: { content: '{"ci' }, finish_reason: 'length' }] }, /cut off/],
    ['chat', { choices: [{ message: { refusal: 'no' }, finish_reason: 'stop' }] }, /refused/],
    ['converse', { output: { message: { content: [{ text: 'a' }] } }, stopReason: 'max_tokens' }, /cut off/],
    ['converse', { output: { message: { content: [] } }, stopReason: 'guardrail_intervened' }, /refused/],
  ] as const)('%s: %j makes it unusable at once', async (provider, body, message) => {
    const model = await testFactory().languageModel(definitionsAt(fake)[provider]);
    fake.fail({ status: 200, body });
    await expect(model.generateJson(jsonRequest)).rejects.toMatchObject({
      code: 'model_reply_unusable',
      message: expect.stringMatching(message),
    });
    expect(fake.calls()).toHaveLength(1);
  });

  test.each([
    ['responses', { error: { message: 'too much', code: 'context_length_exceeded' } }],
    ['chat', { error: { message: "This model's maximum context length is 8192 tokens." } }],
    ['converse', { message: 'Input is too long for requested model.' }],
  ] as const)('%s: %j means that the input is too long', async (provider, body) => {
    const model = await testFactory().languageModel(definitionsAt(fake)[provider]);
    fake.fail({ status: 400, body, headers: { 'x-amzn-errortype': 'ValidationException' } });
    await expect(model.generateText(textRequest)).rejects.toMatchObject({ code: 'model_input_too_long' });
  });
});

describe('structured output', () => {
  const LOOSE = { type: 'object', properties: { city: { type: 'string', maxLength: 9 } } };
  const STRICT = {
    type: 'object',
    properties: { city: { type: ['string', 'null'] } },
    required: ['city'],
    additionalProperties: false,
  };

  test('is strict: every property required, an optional one may be null, whatever the provider', async () => {
    const asked = async (provider: 'responses' | 'chat' | 'converse'): Promise<unknown> => {
      const model = await testFactory().languageModel(definitionsAt(fake)[provider]);
      fake.reply('Where', { city: null });
      expect(await model.generateJson({ ...jsonRequest, schema: LOOSE })).toEqual({ value: { city: null } });
      return fake.calls().at(-1)?.body;
    };
    expect(await asked('responses')).toMatchObject({
      text: { format: { type: 'json_schema', name: 'city', strict: true, schema: STRICT } },
    });
    expect(await asked('chat')).toMatchObject({
      response_format: { json_schema: { name: 'city', strict: true, schema: STRICT } },
    });
    expect(await asked('converse')).toMatchObject({
      toolConfig: { tools: [{ toolSpec: { name: 'city', strict: true, inputSchema: { json: STRICT } } }] },
    });
  });

  test('is not strict for a schema of unknown keys', async () => {
    const model = await testFactory().languageModel(definitionsAt(fake).responses);
    await model.generateJson({ ...jsonRequest, schema: { type: 'object' } });
    expect(fake.calls()[0]?.body['text']).toMatchObject({ format: { strict: false } });
  });

  test('a model of Bedrock that knows no strict tools is asked by a plain one, and from then on at once', async () => {
    const model = await testFactory().languageModel(definitionsAt(fake).converse);
    fake.fail({ status: 400, headers: { 'x-amzn-errortype': 'ValidationException' } });
    fake.reply(/./, { city: 'Rome' });
    await model.generateJson(jsonRequest);
    await model.generateJson(jsonRequest);
    const isStrict = ({ body }: { body: unknown }): boolean => JSON.stringify(body).includes('"strict":true');
    expect(fake.calls().map(isStrict)).toEqual([true, false, false]);
  });

  test('a reply that fits no schema even when repaired counts where less is accepted', async () => {
    const model = await testFactory().languageModel(definitionsAt(fake).chat);
    fake.reply(/./, { town: 'Rome' });
    const asked = { ...jsonRequest, schema: SCHEMA, accepts: { type: 'object' } };
    expect(await model.generateJson(asked)).toEqual({ value: { town: 'Rome' } });
    expect(fake.calls()).toHaveLength(2);
    fake.reset();
    fake.reply(/./, 'no JSON');
    fake.reply('Where', { town: 'Rome' }, 1);
    expect(await model.generateJson(asked)).toEqual({ value: { town: 'Rome' } });
  });

  test('a compatible server that knows no schemas is asked in words, and from then on at once', async () => {
    const model = await testFactory().languageModel(definitionsAt(fake).chat);
    fake.fail({ status: 400, times: 2 });
    fake.reply(/./, { city: 'Rome' });
    await model.generateJson(jsonRequest);
    await model.generateJson(jsonRequest);
    const formats = fake.calls().map(({ body }) => body['response_format']);
    expect(formats).toMatchObject(
      [{ type: 'json_schema' }, { type: 'json_object' }, undefined, undefined].slice(0, 2),
    );
    expect(formats.slice(2)).toEqual([undefined, undefined]);
    expect(JSON.stringify(fake.calls()[3]?.body)).toContain('JSON schema');
  });

  test('a request that is rejected in every form does not change the form', async () => {
    const model = await testFactory().languageModel(definitionsAt(fake).chat);
    fake.fail({ status: 400, times: 3 });
    await expect(model.generateJson(jsonRequest)).rejects.toMatchObject({
      code: 'language_model_unavailable',
    });
    fake.reply(/./, { city: 'Rome' });
    await model.generateJson(jsonRequest);
    expect(fake.calls()[3]?.body['response_format']).toMatchObject({ type: 'json_schema' });
  });

  test('is asked of Bedrock as a tool that the model has to use', async () => {
    const model = await testFactory().languageModel(definitionsAt(fake).converse);
    await model.generateJson(jsonRequest);
    expect(fake.calls()[0]?.body['toolConfig']).toMatchObject({ toolChoice: { tool: { name: 'city' } } });
  });

  test('OpenAI is told not to keep what it reads', async () => {
    const model = await testFactory().languageModel(definitionsAt(fake).responses);
    await model.generateText(textRequest);
    expect(fake.calls()[0]?.body['store']).toBe(false);
  });
});
