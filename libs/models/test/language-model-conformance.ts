import { Metrics } from '@loci/platform';
import { eventually, FakeModels } from '@loci/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type JsonRequest, type LanguageModel } from '../src/language-model.js';
import { type ModelFactoryOptions } from '../src/model-factory.js';
import { type LanguageModelProtocol } from './language-model-protocols.js';
import { FAST } from './test-factory.js';

/** Of the replies that the stand-in is asked for. */
export const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
export const jsonRequest = {
  messages: [{ role: 'user', content: 'Where?' }],
  schema: SCHEMA,
  schemaName: 'city',
} as const;
export const textRequest = { messages: [{ role: 'user', content: 'Say hello.' }] } as const;

const withRules = {
  messages: [{ role: 'system', content: 'Rules.' }, ...textRequest.messages],
} as const;

const LOOSE = { type: 'object', properties: { city: { type: 'string', maxLength: 9 } } };
const STRICT = {
  type: 'object',
  properties: { city: { type: ['string', 'null'] } },
  required: ['city'],
  additionalProperties: false,
};

/** By which Bedrock says what kind of a 400 it is. */
const VALIDATION = { 'x-amzn-errortype': 'ValidationException' };

/** Small enough to be quick, large enough for any reply of the stand-in. */
const FEW_BYTES = 1_000_000;

/** What SDKs would take as keys. */
const FROM_ENVIRONMENT = 'from-the-environment';
const ENVIRONMENT = [
  ...['OPENAI_API_KEY', 'OPENAI_ADMIN_KEY', 'OPENAI_ORG_ID', 'OPENAI_PROJECT_ID'],
  ...['AZURE_OPENAI_API_KEY', 'AZURE_API_KEY', 'ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
  ...['GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'OLLAMA_API_KEY'],
  ...['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_BEARER_TOKEN_BEDROCK'],
];
const NOWHERE = 'http://127.0.0.1:1';
const ADDRESSES = [
  ...['OPENAI_BASE_URL', 'ANTHROPIC_BASE_URL', 'GOOGLE_BASE_URL', 'OLLAMA_HOST'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'],
];

export interface BuildOptions extends Partial<ModelFactoryOptions> {
  /** Beside what the provider needs. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/**
 * What every language model promises, with whatever faults its provider answers.
 * @param protocol how the provider says what the suite is about
 * @param build gives a model that asks the stand-in
 */
export function languageModelConformance(
  name: string,
  protocol: LanguageModelProtocol,
  build: (fake: FakeModels, options?: BuildOptions) => Promise<LanguageModel>,
): void {
  describe(`${name}, as every language model`, () => {
    const metrics = new Metrics('test');
    let fake: FakeModels;
    let model: LanguageModel;

    beforeAll(async () => {
      fake = await FakeModels.start();
    });
    beforeEach(async () => {
      fake.reset();
      model = await build(fake, { metrics });
    });
    afterAll(() => fake.close());

    test('has the name of its resource', () => {
      expect(model.name).not.toBe('');
    });

    test('closes, more than once', async () => {
      await model.close();
      await model.close();
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

    test.each([
      ['is empty', ''],
      ['is blank', ' \n'],
      ['consists of spaces that have no width', '\u200b\u2060\ufeff'],
      ['consists of an invisible letter', ' \u3164 '],
    ])('a text that %s is unusable', async (_, text) => {
      fake.reply(/./, text);
      await expect(model.generateText(textRequest)).rejects.toMatchObject({ code: 'model_reply_unusable' });
    });

    test.each([
      ['500', { status: 500 }],
      ['invalid JSON', { kind: 'invalid_json' }],
      ['a truncated body', { kind: 'truncated' }],
      ['a reset connection', { kind: 'reset' }],
      ['a wrong shape', { kind: 'wrong_shape' }],
      ['429', { status: 429 }],
      ['503', { status: 503 }],
      ['529', { status: 529 }],
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

    test.each([
      ['cut off', protocol.cutOff, /cut off/],
      ['refused', protocol.refused, /refused/],
    ])('a reply that is %s is unusable at once', async (_, body, message) => {
      // not every protocol has a refusal
      if (!body) return;
      fake.fail({ status: 200, body });
      await expect(model.generateJson(jsonRequest)).rejects.toMatchObject({
        code: 'model_reply_unusable',
        message: expect.stringMatching(message),
      });
      expect(fake.calls()).toHaveLength(1);
    });

    test.each([
      ['an object', { a: 1 }],
      ['a number', 5],
      ['a list', ['ok']],
      ['true', true],
    ])('a reply whose text is %s is the fault of the provider', async (_, text) => {
      fake.fail({ status: 200, body: withTexts(protocol.counted, text), times: 100 });
      await expect(model.generateText(textRequest)).rejects.toMatchObject({
        code: 'language_model_unavailable',
        message: expect.stringMatching(/something that is not a/),
      });
    });

    test('a reply that is no object is the fault of the provider', async () => {
      fake.fail({ status: 200, body: null, times: 100 });
      await expect(model.generateText(textRequest)).rejects.toMatchObject({
        code: 'language_model_unavailable',
        message: expect.stringMatching(/something that is not a/),
      });
    });

    test('more than the model reads is refused as such', async () => {
      fake.fail({ status: 400, body: protocol.tooLong, headers: VALIDATION });
      await expect(model.generateText(textRequest)).rejects.toMatchObject({ code: 'model_input_too_long' });
    });

    test('half a character is made a whole one', async () => {
      fake.reply('hello', 'Bye \ud83d');
      fake.reply('Where', '{"city": "Rome \\ud83d"}');
      expect(await model.generateText(textRequest)).toEqual({ text: 'Bye \ufffd' });
      expect(await model.generateJson(jsonRequest)).toEqual({ value: { city: 'Rome \ufffd' } });
    });

    test('structured output is strict: every property required, an optional one may be null', async () => {
      fake.reply('Where', { city: null });
      expect(await model.generateJson({ ...jsonRequest, schema: LOOSE })).toEqual({ value: { city: null } });
      const { body = {} } = fake.calls()[0] ?? {};
      expect(protocol.strictAt(body)).toEqual(STRICT);
      if (protocol.marksStrict) expect(protocol.marksStrict(body)).toBe(true);
    });

    test('a schema of unknown keys is asked for in another way', async () => {
      fake.reply('Where', { anything: 1 });
      expect(await model.generateJson({ ...jsonRequest, schema: { type: 'object' } })).toEqual({
        value: { anything: 1 },
      });
      if (protocol.marksStrict) expect(protocol.marksStrict(fake.calls()[0]?.body ?? {})).not.toBe(true);
    });

    test('a model that refuses the schema is asked in words, and from then on at once', async () => {
      fake.fail({ status: 400, times: 2, headers: VALIDATION });
      fake.reply(/./, { city: 'Rome' });
      await model.generateJson(jsonRequest);
      await model.generateJson(jsonRequest);
      expect(fake.calls()).toHaveLength(4);
      expect(JSON.stringify(fake.calls()[3]?.body)).toContain('JSON schema');
    });

    test.each([
      ['the strictest form', 0],
      ['the next one', 1],
      ['the next but one', 2],
    ])('bounds change nothing before the messages, in %s that is accepted', async (_, refused) => {
      for (const most of [10, 50]) {
        const properties = { city: { type: 'string', maxLength: most } };
        const counts = { type: 'array', maxItems: most, items: { type: 'integer', maximum: most } };
        const schema = { ...SCHEMA, properties: { ...properties, counts } };
        const asking = await build(fake);
        const messages = [...withRules.messages.slice(0, 1), { role: 'user', content: `Where, of ${most}?` }];
        if (refused > 0) fake.fail({ status: 400, times: refused, headers: VALIDATION });
        fake.reply('Where', { city: 'Rome', counts: [1] });
        await asking.generateJson({ ...jsonRequest, messages, schema } as JsonRequest);
      }
      const bodies = fake.calls().map(({ body }) => JSON.stringify(body));
      expect(bodies).toHaveLength(2 * (refused + 1));
      const [few = '', many = ''] = [bodies[refused], bodies.at(-1)];
      expect(many).toBe(few.replace('Where, of 10?', 'Where, of 50?'));
    });

    test('bounds that were not sent hold for the reply', async () => {
      const properties = { city: { type: 'string', maxLength: 3 } };
      fake.reply('Where', { city: 'Rome' }, 1);
      fake.reply("That reply can't be used", { city: 'Ulm' });
      const asked = { ...jsonRequest, schema: { ...SCHEMA, properties } };
      expect(await model.generateJson(asked)).toEqual({ value: { city: 'Ulm' } });
    });

    test('tokens are counted as the provider counts them, those that it had kept apart', async () => {
      const used: unknown[] = [];
      const request = { ...withRules, onUsage: (one: unknown) => void used.push(one) };
      fake.fail({ status: 200, body: protocol.counted });
      await model.generateText(request);
      expect(used).toMatchObject([{ inputTokens: 50, outputTokens: 1 }]);
      if (!protocol.kept) return;
      fake.fail({ status: 200, body: protocol.kept });
      await model.generateText(request);
      expect(used[1]).toEqual({ inputTokens: 50, cachedTokens: 40, outputTokens: 1 });
    });

    test('what is the same in many requests comes first, and is marked where that is wanted', async () => {
      await model.generateText(withRules);
      await model.generateText({ messages: [withRules.messages[0], { role: 'user', content: 'Else.' }] });
      const bodies = fake.calls().map(({ body }) => body);
      if (protocol.markOfBeginning) {
        const [one, same] = bodies.map(protocol.markOfBeginning);
        expect(one).toBeDefined();
        expect(same).toEqual(one);
      }
      for (const body of bodies) {
        const text = JSON.stringify(body);
        expect(text).toContain('Rules.');
      }
    });

    test('its settings reach the provider; what is not set is not sent', async () => {
      const config = { temperature: 0.2, reasoning_effort: 'low', max_output_tokens: 900 };
      const set = await build(fake, { config });
      await set.generateText(textRequest);
      expect(fake.calls()[0]?.body).toMatchObject(protocol.settings);
      await model.generateText(textRequest);
      expect(Object.keys(fake.calls()[1]?.body ?? {}).sort()).toEqual(protocol.bareKeys);
    });

    test('the environment of the process is not used: no keys, no addresses, no proxies', async () => {
      const former = { ...process.env };
      try {
        for (const variable of ENVIRONMENT) process.env[variable] = FROM_ENVIRONMENT;
        for (const variable of ADDRESSES) process.env[variable] = NOWHERE;
        process.env['OPENAI_CUSTOM_HEADERS'] = `x-custom: ${FROM_ENVIRONMENT}`;
        const built = await build(fake);
        await built.generateText(textRequest);
        await built.generateJson(jsonRequest);
      } finally {
        for (const variable of Object.keys(process.env)) {
          if (former[variable] === undefined) Reflect.deleteProperty(process.env, variable);
          else process.env[variable] = former[variable];
        }
      }
      expect(fake.calls().length).toBeGreaterThanOrEqual(2);
      expect(JSON.stringify(fake.calls())).not.toContain(FROM_ENVIRONMENT);
    });

    test('an address within the network is refused before anything is sent', async () => {
      const guarded = await build(fake, { egress: { allowPrivate: false } });
      await expect(guarded.generateText(textRequest)).rejects.toMatchObject({
        code: 'language_model_unavailable',
        message: expect.stringContaining('EGRESS_ALLOW_PRIVATE'),
      });
      expect(fake.calls()).toHaveLength(0);
    });

    test('a reply without end is given up at the limit', async () => {
      fake.fail({ kind: 'huge', times: 9 });
      const bounded = await build(fake, { limits: { ...FAST, maxReplyBytes: FEW_BYTES } });
      await expect(bounded.generateText(textRequest)).rejects.toMatchObject({
        code: 'language_model_unavailable',
        cause: { reason: 'reply_too_large' },
      });
      expect(fake.calls()).toHaveLength(1);
    });

    test('a reply longer than any model writes is not looked at', async () => {
      fake.reply('hello', 'x'.repeat(2_000_001));
      await expect(model.generateText(textRequest)).rejects.toMatchObject({ code: 'model_reply_unusable' });
    });

    test('a slow answer is a timeout', async () => {
      // its own server: what was given up on the way may come late, and would count in the next test
      const slow = await FakeModels.start();
      try {
        slow.fail({ kind: 'hang' });
        const hasty = await build(slow, { limits: { attemptTimeoutMs: 20, maxAttempts: 1 } });
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
}

/** The reply with something else instead of its text, which is `ok`. */
function withTexts(reply: unknown, text: unknown): unknown {
  return JSON.parse(JSON.stringify(reply), (_, value: unknown) => (value === 'ok' ? text : value)) as unknown;
}
