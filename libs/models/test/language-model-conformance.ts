import { Metrics } from '@loci/platform';
import { eventually, FakeModels } from '@loci/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type LanguageModel } from '../src/language-model.js';
import { type ModelFactoryOptions } from '../src/model-factory.js';

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

/** What every language model promises, with whatever faults its provider answers. @param build gives one that asks the stand-in */
export function languageModelConformance(
  name: string,
  build: (fake: FakeModels, options?: Partial<ModelFactoryOptions>) => Promise<LanguageModel>,
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
