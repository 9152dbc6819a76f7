import { setTimeout } from 'node:timers/promises';
import { eventually, FakeModels } from '@loci/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { jsonRequest, SCHEMA, textRequest } from '../../test/language-model-conformance.js';
import { Headers, type RequestInit } from 'undici';
import { definitionsAt, FAST, testFactory } from '../../test/test-factory.js';
import { EgressGuard, type GuardedFetch } from '../egress/egress-guard.js';
import { ollamaClient } from '../ollama/ollama-client.js';

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

describe('structured output', () => {
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

  test('a reply that a repair would not change is taken as it is, where it is accepted', async () => {
    const model = await testFactory().languageModel(definitionsAt(fake).chat);
    fake.reply(/./, { town: 'Rome' });
    const isBeyondRepair = (reply: unknown): boolean => JSON.stringify(reply).includes('Rome');
    const asked = { ...jsonRequest, schema: SCHEMA, accepts: { type: 'object' }, isBeyondRepair };
    expect(await model.generateJson(asked)).toEqual({ value: { town: 'Rome' } });
    expect(fake.calls()).toHaveLength(1);
    fake.reset();
    fake.reply(/./, ['Rome'], 1);
    fake.reply("That reply can't be used", { city: 'Rome' });
    expect(await model.generateJson(asked)).toEqual({ value: { city: 'Rome' } });
    fake.reset();
    fake.reply('Where', { town: 'Oslo' }, 1);
    fake.reply("That reply can't be used", { city: 'Oslo' });
    expect(await model.generateJson(asked)).toEqual({ value: { city: 'Oslo' } });
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

test('what Bedrock is configured with in its own words counts before the settings of all providers', async () => {
  const definition = definitionsAt(fake).converse;
  const config = {
    ...definition.config,
    temperature: 0.2,
    inference_config: { topP: 0.5, temperature: 0.1 },
  };
  const model = await testFactory().languageModel({ ...definition, config });
  await model.generateText(textRequest);
  expect(fake.calls()[0]?.body).toMatchObject({ inferenceConfig: { temperature: 0.1, topP: 0.5 } });
});

test.each([
  ['us.anthropic.claude-opus-4-6-v1', 'high', { output_config: { effort: 'high' } }],
  ['anthropic.claude-sonnet-5', 'low', { output_config: { effort: 'low' } }],
  [
    'us.amazon.nova-2-lite-v1:0',
    'medium',
    { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'medium' } },
  ],
  ['us.amazon.nova-2-lite-v1:0', 'none', { reasoningConfig: { type: 'disabled' } }],
  ['openai.gpt-oss-20b-1:0', 'low', { reasoning_effort: 'low' }],
  ['anthropic.claude-sonnet-4-20250514-v1:0', 'low', undefined],
  ['amazon.nova-lite-v1:0', 'low', undefined],
])('how much %s thinks at Bedrock, where it is %s', async (model_id, reasoning_effort, fields) => {
  const definition = definitionsAt(fake).converse;
  const config = { ...definition.config, model_id, reasoning_effort };
  const model = await testFactory().languageModel({ ...definition, config });
  await model.generateText(textRequest);
  expect(fake.calls()[0]?.body['additionalModelRequestFields']).toEqual(fields);
});

test('the own words of a model of Bedrock count before its effort, and are kept beside it', async () => {
  const definition = definitionsAt(fake).converse;
  const additional_model_request_fields = { output_config: { effort: 'max' }, top_k: 5 };
  const config = { ...definition.config, reasoning_effort: 'low', additional_model_request_fields };
  const model = await testFactory().languageModel({ ...definition, config });
  await model.generateText(textRequest);
  expect(fake.calls()[0]?.body).toMatchObject({
    additionalModelRequestFields: additional_model_request_fields,
  });
});

test('a model of Anthropic that takes a temperature gets it', async () => {
  const definition = definitionsAt(fake).anthropic;
  const config = { ...definition.config, model: 'claude-haiku-4-5', temperature: 0.2 };
  const model = await testFactory().languageModel({ ...definition, config });
  await model.generateText(textRequest);
  expect(fake.calls()[0]?.body).toMatchObject({ temperature: 0.2 });
});

test('as many calls are on their way at a time as the process has for one model, more than by default', async () => {
  const model = await testFactory({ languageModelConcurrency: 12 }).languageModel(definitionsAt(fake).chat);
  fake.fail({ kind: 'hang', times: 100 });
  const stop = new AbortController();
  const asked = Array.from({ length: 14 }, () =>
    model.generateText({ ...textRequest, signal: stop.signal }).catch(() => undefined),
  );
  try {
    await eventually(() => fake.calls().length >= 12, { what: 'twelve are asked' });
    await setTimeout(200);
    expect(fake.calls()).toHaveLength(12);
  } finally {
    stop.abort();
    await Promise.all(asked);
  }
});

test('a filter of Azure that refuses the request is a refusal', async () => {
  const model = await testFactory().languageModel(definitionsAt(fake).azure);
  fake.fail({
    status: 400,
    body: { error: { message: 'The response was filtered.', code: 'content_filter' } },
  });
  await expect(model.generateJson(jsonRequest)).rejects.toMatchObject({ code: 'model_reply_unusable' });
  expect(fake.calls()).toHaveLength(1);
});

test('the resource of Azure is enough of an address', async () => {
  const { azureEndpoint } = await import('../azure/azure-endpoint.js');
  const guard = new EgressGuard({ allowPrivate: true }, { maxBytes: 1, timeoutMs: 1 });
  const settings = { api_key: 'k', model: 'm', api: 'responses', max_retry_interval_seconds: 1 } as const;
  const at = (base_url: string): string => azureEndpoint({ ...settings, base_url }, guard).client.baseURL;
  const whole = 'https://my-resource.openai.azure.com/openai/v1';
  expect([at('https://my-resource.openai.azure.com/'), at(whole)]).toEqual([whole, whole]);
});

test('Gemini says in the body how long it wants to be left alone', async () => {
  const model = await testFactory().languageModel(definitionsAt(fake).gemini);
  const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '599.5s' }];
  const error = { code: 429, message: 'Quota exceeded.', status: 'RESOURCE_EXHAUSTED', details };
  fake.fail({ status: 429, body: { error } });
  await expect(model.generateText(textRequest)).rejects.toMatchObject({
    code: 'language_model_unavailable',
    details: { retryAfterSeconds: 600 },
  });
});

test('a server that goes on promising the rest of its reply is given up', async () => {
  const model = await testFactory({ limits: { ...FAST, maxAttempts: 1 } }).languageModel(
    definitionsAt(fake).gemini,
  );
  const content = { parts: [{ text: 'and ' }], role: 'model' };
  const candidates = [{ content, finishReason: 'CONTINUATION', continuationToken: 'more', index: 0 }];
  fake.fail({ status: 200, body: { candidates }, times: 99 });
  await expect(model.generateText(textRequest)).rejects.toMatchObject({ cause: { reason: 'broken' } });
  expect(fake.calls()).toHaveLength(8);
});

test('ollama.com gets the key of the model and never that of the process', async () => {
  const sent: unknown[] = [];
  const answer = { message: { role: 'assistant', content: 'ok' }, done_reason: 'stop' };
  const guard = {
    fetch: (_: unknown, init?: RequestInit) => {
      sent.push(Object.fromEntries(new Headers(init?.headers)));
      return Promise.resolve(Response.json(answer) as unknown as Awaited<ReturnType<GuardedFetch>>);
    },
  };
  const former = process.env['OLLAMA_API_KEY'];
  process.env['OLLAMA_API_KEY'] = 'from-the-environment';
  try {
    for (const api_key of [undefined, 'the-secret-key']) {
      const server = { base_url: 'https://ollama.com', api_key, keep_alive_minutes: undefined };
      await ollamaClient(server, guard, AbortSignal.timeout(1000)).chat({ model: 'm', stream: false });
    }
  } finally {
    if (former === undefined) delete process.env['OLLAMA_API_KEY'];
    else process.env['OLLAMA_API_KEY'] = former;
  }
  expect(JSON.stringify(sent)).not.toContain('from-the-environment');
  expect(sent[1]).toMatchObject({ authorization: 'Bearer the-secret-key' });
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
});
