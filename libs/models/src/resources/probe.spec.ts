import { FakeModels } from '@loci/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sealConfig } from '../secrets/seal-config.js';
import {
  definitionsAt,
  EMBEDDERS,
  LANGUAGE_MODELS,
  noPeers,
  RERANKERS,
  secretBox,
  testFactory,
} from '../../test/test-factory.js';
import { type ModelFactoryOptions } from '../model-factory.js';
import { type ProbeResult } from './probe-result.js';
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

type Provider = keyof ReturnType<typeof definitionsAt>;
const ALL: readonly Provider[] = [...LANGUAGE_MODELS, ...EMBEDDERS, ...RERANKERS];

function probe(
  provider: Provider,
  config: ResourceDefinition['config'] = {},
  options: Partial<ModelFactoryOptions> = {},
): Promise<ProbeResult> {
  const definition = definitionsAt(fake)[provider];
  return testFactory(options).probe({ ...definition, config: { ...definition.config, ...config } }, noPeers);
}

const failed = (reason: RegExp) => ({ ok: false, reason: expect.stringMatching(reason) });

describe.each(ALL)('a probe of %s', (provider) => {
  const isAws = (): boolean => 'region' in definitionsAt(fake)[provider].config;

  test('that is well makes a real request', async () => {
    expect(await probe(provider)).toMatchObject({ ok: true });
    expect(fake.calls().length).toBeGreaterThan(0);
  });

  test('with a wrong key says so', async () => {
    const keys = { api_key: 'wrong-key', cohere_key: 'wrong-key', aws_access_key_id: 'wrong-key' };
    const result = await probe(provider, keys);
    expect(result).toEqual(failed(/refused our credentials \(HTTP 40[013]\); check the key/));
    expect(JSON.stringify(result)).not.toContain('wrong-key');
  });

  test('of an unreachable host says so, once', async () => {
    const gone = await FakeModels.start();
    await gone.close();
    const nowhere = gone.url;
    expect(await probe(provider, { base_url: nowhere, endpoint: nowhere })).toEqual(
      failed(/can't be reached/),
    );
  });

  test.each(['http', 'https'])('of a host name that does not exist says so (%s)', async (protocol) => {
    const nowhere = `${protocol}://no-such-host.invalid`;
    expect(await probe(provider, { base_url: nowhere, endpoint: nowhere })).toEqual(
      // in Jest, the AWS SDK does not recognise errors of Node itself and wraps them without their code
      failed(isAws() ? /can't be reached/ : /can't be reached: its host name is unknown/),
    );
  });

  test.each(['localhost', 'no-such-host.invalid'])(
    'does not say whether the name %s is known inside, where private addresses are refused',
    async (host) => {
      const inside = { base_url: `https://${host}`, endpoint: `https://${host}` };
      expect(await probe(provider, inside, { egress: { allowPrivate: false } })).toEqual(
        failed(/can't be reached: its host name is unknown, or leads to a private address/),
      );
    },
  );

  test('of an address that is refused names the address', async () => {
    const refused = { base_url: 'http://169.254.169.254', endpoint: 'http://169.254.169.254' };
    expect(await probe(provider, refused)).toEqual(failed(/'169\.254\.169\.254', which is refused/));
    expect(await probe(provider, {}, { egress: { allowPrivate: false } })).toEqual(
      failed(/EGRESS_ALLOW_PRIVATE/),
    );
    expect(fake.calls()).toHaveLength(0);
  });

  test('that fails is not tried again', async () => {
    fake.fail({ status: 500, times: 9 });
    expect(await probe(provider)).toEqual(failed(/failed \(HTTP 500\)/));
    expect(fake.calls()).toHaveLength(1);
  });

  test('with a reference to a variable that is not set names the variable', async () => {
    const references = {
      api_key: '$LOCI_MODEL_SECRET_MISSING',
      cohere_key: '$LOCI_MODEL_SECRET_MISSING',
      aws_secret_access_key: '$LOCI_MODEL_SECRET_MISSING',
    };
    expect(await probe(provider, references)).toEqual(failed(/LOCI_MODEL_SECRET_MISSING is not set/));
  });

  test('with a reference to a variable that is not for models does not send it', async () => {
    const references = { environment: { LOCI_SECRET_KEYS: 'the-master-key' }, prefix: 'LOCI_MODEL_SECRET_' };
    const name = '${LOCI_SECRET_KEYS}';
    const keys = { api_key: name, cohere_key: name, aws_access_key_id: name };
    expect(await probe(provider, keys, { references })).toEqual(
      failed(/LOCI_SECRET_KEYS may not be used here/),
    );
    expect(fake.calls()).toHaveLength(0);
  });

  test('opens sealed secrets and resolves references', async () => {
    const definition = definitionsAt(fake)[provider];
    const sealed = sealConfig(definition, secretBox);
    expect(JSON.stringify(sealed)).not.toMatch(/the-secret-key|secret-of-aws/);
    const key = isAws() ? 'aws_access_key_id' : 'api_key' in sealed ? 'api_key' : 'cohere_key';
    const environment = { LOCI_MODEL_SECRET_KEY: 'resolved-key', DATABASE_URL: 'taken' };
    const options = { references: { environment, prefix: 'LOCI_MODEL_SECRET_' } };
    expect(await probe(provider, { ...sealed, [key]: '${LOCI_MODEL_SECRET_KEY}' }, options)).toMatchObject({
      ok: true,
    });
    expect(JSON.stringify(fake.calls()[0]?.headers)).toContain('resolved-key');
  });

  test('that is answered with the key in the words of the provider does not repeat it', async () => {
    const keys = isAws() ? 'AKIDEXAMPLE and secret-of-aws' : 'the-secret-key';
    const text = `bad request for ${keys}`;
    fake.fail({ status: 400, body: { message: text, error: { message: text } }, times: 9 });
    const result = await probe(provider);
    expect(result).toEqual(failed(/bad request for \*\*\*/));
    expect(JSON.stringify(result)).not.toMatch(/the-secret-key|AKIDEXAMPLE|secret-of-aws/);
  });
});

const NAMED = ['responses', 'chat', 'azure', 'anthropic', 'gemini', 'ollama'] as const;
const NAMED_TOO = ['openAiEmbedder', 'voyage', 'jina', 'cohereNative', 'ollamaEmbedder', 'cohere'] as const;

test.each([...NAMED, ...NAMED_TOO])('a probe of %s with an unknown model says so', async (provider) => {
  expect(await probe(provider, { model: 'unknown-model' })).toEqual(failed(/does not know this model/));
});

test('a probe of Bedrock with an unknown model says so', async () => {
  expect(await probe('converse', { model_id: 'unknown-model' })).toEqual(failed(/does not know this model/));
});

test('a probe of an embedder learns the dimensions', async () => {
  expect(await probe('openAiEmbedder', { dimensions: 256 })).toEqual({ ok: true, dimensions: 256 });
  expect(await probe('titan')).toEqual({ ok: true, dimensions: 1024 });
});

test('a probe of a model that has more to think than to say is well', async () => {
  fake.reply(/./, '');
  expect(await probe('chat')).toEqual({ ok: true });
});

test('a probe of what is sealed with a key that is gone says so', async () => {
  const sealed = `sealed:v1:gone:${'A'.repeat(60)}`;
  expect(await probe('chat', { api_key: sealed })).toEqual(failed(/key 'gone'/));
});

test('what a provider says is told as PostgreSQL can store it', async () => {
  fake.fail({ status: 400, body: { error: { message: 'no\u0000thing \ud83d' } } });
  expect(await probe('chat')).toEqual({
    ok: false,
    reason: expect.stringMatching(/It says: .*nothing \ufffd/),
  });
});
