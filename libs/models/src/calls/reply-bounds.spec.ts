import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, FakeModels } from '@loci/testing';
import {
  definitionsAt,
  EMBEDDERS,
  FAST,
  LANGUAGE_MODELS,
  noPeers,
  RERANKERS,
  testFactory,
} from '../../test/test-factory.js';

let fake: FakeModels;

beforeAll(async () => {
  fake = await FakeModels.start();
});
beforeEach(() => fake.reset());
afterAll(() => fake.close());

const LIMITS = { ...FAST, maxReplyBytes: 1_000_000 };
const PROVIDERS = [...LANGUAGE_MODELS, ...EMBEDDERS, ...RERANKERS];

describe.each(PROVIDERS)('a reply to %s', (provider) => {
  const probe = (limits = LIMITS) => testFactory({ limits }).probe(definitionsAt(fake)[provider], noPeers);

  test('of 300 MB is given up at the limit, after decompression, and not asked for again', async () => {
    fake.fail({ kind: 'huge', times: 9 });
    const before = process.memoryUsage().rss;
    expect(await probe()).toEqual({
      ok: false,
      reason: expect.stringMatching(/answers with more than 1000000 bytes \(MODEL_MAX_REPLY_BYTES says/),
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
    expect(fake.calls()).toHaveLength(1);
  });

  test('is read to a mebibyte at most when it answers a probe, whatever other calls may take', async () => {
    fake.fail({ kind: 'huge', times: 9 });
    expect(await probe({ ...LIMITS, maxReplyBytes: 32_000_000 })).toEqual({
      ok: false,
      reason: expect.stringMatching(/answers with more than 1048576 bytes/),
    });
  });

  test('that is an error of 300 MB is given up, too', async () => {
    fake.fail({ kind: 'huge_error', times: 9 });
    const before = process.memoryUsage().rss;
    expect(await probe()).toMatchObject({ ok: false });
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });

  test('of lists in lists without end is given up before it is read, and not asked for again', async () => {
    fake.fail({ kind: 'nested', times: 9 });
    expect(await probe()).toEqual({
      ok: false,
      reason: expect.stringMatching(/answers with JSON that is nested deeper than 64 levels/),
    });
    expect(fake.calls()).toHaveLength(1);
  });

  test('that never ends is given up in time, and its connection is closed', async () => {
    fake.fail({ kind: 'drip', times: 9 });
    // a probe has limits of its own for time
    const factory = testFactory({ limits: { ...LIMITS, attemptTimeoutMs: 300, maxAttempts: 1 } });
    const definition = definitionsAt(fake)[provider];
    const call = async (): Promise<unknown> => {
      switch (definition.kind) {
        case 'language_model': {
          const model = await factory.languageModel(definition);
          return model.generateText({ messages: [{ role: 'user', content: 'x' }] });
        }
        case 'embedder':
          return (await factory.embedder(definition)).embed(['x']);
        case 'reranker':
          return (await factory.reranker(definition, noPeers)).score('x', ['y']);
      }
    };
    await expect(call()).rejects.toThrow(/did not answer in time/);
    await eventually(() => fake.openReplies === 0, { what: 'the connection is closed' });
  });
});
