import { FakeModels } from '@loci/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { jsonRequest, SCHEMA, textRequest } from '../../test/language-model-conformance.js';
import { definitionsAt, testFactory } from '../../test/test-factory.js';

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

describe('settings of a model', () => {
  const asked = async (provider: 'responses' | 'chat' | 'converse', config: object): Promise<unknown> => {
    const definition = definitionsAt(fake)[provider];
    const model = await testFactory().languageModel({
      ...definition,
      config: { ...definition.config, ...config },
    });
    await model.generateText(textRequest);
    return fake.calls().at(-1)?.body;
  };

  test('temperature, effort and the length of replies reach the provider; what is not set does not', async () => {
    const set = { temperature: 0.2, reasoning_effort: 'low', max_output_tokens: 900 };
    expect(await asked('responses', set)).toMatchObject({
      temperature: 0.2,
      reasoning: { effort: 'low' },
      max_output_tokens: 900,
    });
    expect(await asked('chat', set)).toMatchObject({
      temperature: 0.2,
      reasoning_effort: 'low',
      max_tokens: 900,
    });
    expect(await asked('converse', { ...set, inference_config: { topP: 0.5 } })).toMatchObject({
      inferenceConfig: { temperature: 0.2, maxTokens: 900, topP: 0.5 },
    });
    expect(Object.keys((await asked('chat', {})) as object).sort()).toEqual(['messages', 'model']);
  });
});

describe('the beginning of a request', () => {
  const withRules = {
    messages: [
      { role: 'system', content: 'Rules.' },
      { role: 'user', content: 'Say hello.' },
    ],
  } as const;

  test('is marked as one to keep for Bedrock, and not again for a model that refuses that', async () => {
    const model = await testFactory().languageModel(definitionsAt(fake).converse);
    const body = {
      message: 'You invoked an unsupported model or your request did not allow prompt caching.',
    };
    fake.fail({ status: 403, body, headers: { 'x-amzn-errortype': 'AccessDeniedException' } });
    await model.generateText(withRules);
    await model.generateText(withRules);
    const marks = fake.calls().map((call) => JSON.stringify(call.body['system']).includes('cachePoint'));
    expect(marks).toEqual([true, false, false]);
  });

  test.each([
    [
      'responses',
      { input_tokens: 50, input_tokens_details: { cached_tokens: 40 }, output_tokens: 1 },
      { output: [], status: 'completed' },
    ],
    [
      'chat',
      { prompt_tokens: 50, prompt_tokens_details: { cached_tokens: 40 }, completion_tokens: 1 },
      { choices: [{ message: { content: 'ok' }, finish_reason: 'stop' }] },
    ],
    [
      'converse',
      { inputTokens: 6, cacheReadInputTokens: 40, cacheWriteInputTokens: 4, outputTokens: 1 },
      { output: { message: { content: [{ text: 'ok' }] } }, stopReason: 'end_turn' },
    ],
  ] as const)('%s: what the provider had kept of it is counted as such', async (provider, usage, reply) => {
    const model = await testFactory().languageModel(definitionsAt(fake)[provider]);
    fake.fail({ status: 200, body: { ...reply, usage } });
    const used: unknown[] = [];
    const onUsage = (one: unknown): void => void used.push(one);
    await model.generateText({ ...withRules, onUsage }).catch(() => undefined);
    expect(used).toEqual([{ inputTokens: 50, cachedTokens: 40, outputTokens: 1 }]);
  });
});
