import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FakeModels, type Loci, type StandInName } from '@loci/testing';
import { type Json } from '../harness/client.js';
import { ConfigClient } from '../harness/config-client.js';
import { blocksIn, runRequests } from '../harness/snippets.js';
import { product } from './product.js';

const DOCUMENT = 'docs/guide/providers.md';

/** Whose protocol the stand-in speaks instead of an address. */
const HOSTS: readonly (readonly [RegExp, StandInName])[] = [
  [/openai\.azure\.com/, 'azure'],
  [/api\.anthropic\.com/, 'anthropic'],
  [/generativelanguage\.googleapis\.com/, 'gemini'],
  [/:11434/, 'ollama'],
  [/api\.voyageai\.com/, 'voyage'],
  [/api\.jina\.ai/, 'jina'],
  [/api\.cohere\.com/, 'cohere'],
  [/:808[12]$/, 'tei'],
  [/bedrock-runtime/, 'bedrock'],
  [/./, 'openai'],
];

/** Providers whose stand-in has another name. */
const STAND_IN_OF: Readonly<Record<string, StandInName>> = {
  openai: 'openai',
  'openai-responses': 'openai',
  'openai-chat-completions': 'openai',
  'azure-openai': 'azure',
  'amazon-bedrock': 'bedrock',
};

/** Built into Loci: they have no address. */
const BUILT_IN = new Set(['local', 'identity', 'bm25', 'embedder', 'rrf-hybrid']);

let loci: Loci;
let models: FakeModels;
let config: ConfigClient;

const standInFor = (address: string): string =>
  models.urlOf(HOSTS.find(([host]) => host.test(address))?.[1] ?? 'openai');

const addressOf = (provider: string): Json => {
  const url = models.urlOf(STAND_IN_OF[provider] ?? (provider as StandInName));
  return provider === 'amazon-bedrock' ? { endpoint: url } : { base_url: url };
};

/** Requests to Loci stay; each provider is the stand-in that speaks its protocol. */
const standingIn = (code: string): string =>
  code
    .replaceAll('http://localhost:8080', loci.url)
    .replace(
      /("(?:base_url|endpoint)": )"([^"]+)"/,
      (_, key: string, url: string) => `${key}"${standInFor(url)}"`,
    );

const nameIn = (code: string): string => /"(?:name|llm_model)": "([^"]+)"/.exec(code)?.[1] ?? '';

beforeAll(async () => {
  loci = await product();
  models = await FakeModels.start();
  config = new ConfigClient(loci.url);
});
afterAll(() => models.close());

describe('the recipes of providers', () => {
  test.each(blocksIn(DOCUMENT, 'bash').map((code): [string, string] => [nameIn(code), code]))(
    '%s works as it is shown',
    async (_, code) => {
      const [, expected = 'nothing'] = /^# → (.*)$/m.exec(code) ?? [];
      expect(await runRequests(standingIn(code))).toContain(expected);
    },
  );
});

describe('what is said of providers over HTTP', () => {
  const KINDS = ['language_models', 'embedders', 'rerankers'];

  /** The examples of the API document: the kind and the provider, and what is sent. */
  const examples = async (): Promise<(readonly [string, Json])[]> => {
    const document = (await (await fetch(`${loci.url}/openapi.json`)).json()) as {
      paths: Record<
        string,
        { post: { requestBody: { content: Record<string, { examples: Record<string, { value: Json }> }> } } }
      >;
    };
    const route = document.paths['/api/v2/config/resources/{kind}'];
    const { examples: all = {} } = route?.post.requestBody.content['application/json'] ?? {};
    return Object.entries(all).map(([title, { value }]) => [title, value] as const);
  };

  /** The providers of a kind, as a refusal names them. */
  const providersOf = async (kind: string): Promise<string[]> => {
    const { status, body } = await config.post(`/resources/${kind}`, {
      name: 'x',
      provider: 'nobody',
      config: {},
    });
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'provider'], type: 'enum' }] },
    });
    const [{ msg = '' } = {}] = body['detail'] as { msg?: string }[];
    return [...msg.matchAll(/'([^']+)'/g)].map(([, name = '']) => name);
  };

  test('the API document has an example for each provider of each kind', async () => {
    const shown = (await examples()).map(([title]) => title).sort();
    const known = await Promise.all(
      KINDS.map(async (kind) => (await providersOf(kind)).map((provider) => `${kind}: ${provider}`)),
    );
    expect(shown).toEqual(known.flat().sort());
  });

  test('each example works once a key is put in', async () => {
    const key = /"\$LOCI_MODEL_SECRET_\w+"/g;
    const outcomes: unknown[] = [];
    const all = await examples();
    for (const [title, value] of all) {
      const [kind = '', provider = ''] = title.split(': ');
      const filled = JSON.parse(JSON.stringify(value).replace(key, '"a-good-key"')) as Json;
      const own = filled['config'] as Json;
      const name = `example ${title}`;
      const { body } = await config.register(kind, {
        ...filled,
        name,
        config: { ...own, ...(!BUILT_IN.has(provider) && addressOf(provider)) },
        may_be_default: false,
      });
      outcomes.push([title, body['status'], body['error'], body['ignored_fields']]);
    }
    expect(outcomes).toEqual(all.map(([title]) => [title, 'ready', null, undefined]));
  });

  test.each([
    ['language_models', 'anthropic', {}, ['api_key', 'model'], 'missing'],
    [
      'language_models',
      'anthropic',
      { api_key: 'k', model: 'm', temperature: 1.5 },
      ['temperature'],
      'less_than_equal',
    ],
    ['language_models', 'gemini', { api_key: 'k' }, ['model'], 'missing'],
    ['language_models', 'ollama', { model: 'm', reasoning_effort: 'huge' }, ['reasoning_effort'], 'enum'],
    ['language_models', 'azure-openai', { api_key: 'k', model: 'm' }, ['base_url'], 'missing'],
    ['embedders', 'voyage', { base_url: 'nowhere', api_key: 'k' }, ['base_url'], 'url_parsing'],
    ['embedders', 'jina', {}, ['api_key'], 'missing'],
    ['embedders', 'cohere', { cohere_key: 'k', batch_size: 97 }, ['batch_size'], 'less_than_equal'],
    ['embedders', 'tei', {}, ['model', 'base_url'], 'missing'],
    ['embedders', 'ollama', { model: '' }, ['model'], 'string_too_short'],
    ['rerankers', 'voyage', {}, ['api_key'], 'missing'],
    ['rerankers', 'jina', { api_key: 'k', max_input_length: 0 }, ['max_input_length'], 'greater_than_equal'],
    ['rerankers', 'tei', {}, ['base_url'], 'missing'],
  ])('422 for settings that %s, %s does not take: %j', async (kind, provider, given, keys, type) => {
    const { status, body } = await config.post(`/resources/${kind}`, { name: 'x', provider, config: given });
    expect(status).toBe(422);
    const detail = body['detail'] as { loc: string[]; type: string; msg: string }[];
    expect(detail.map(({ loc }) => loc)).toEqual(keys.map((key) => ['body', 'config', key]));
    expect(detail.map((one) => one.type)).toEqual(keys.map(() => type));
    for (const { msg } of detail) expect(msg).not.toBe('');
  });

  test('no key of any provider is shown, and what is not known is named', async () => {
    const secrets = [
      ['language_models', 'anthropic', { api_key: 'planted-1', model: 'm' }],
      ['language_models', 'gemini', { api_key: 'planted-2', model: 'm' }],
      ['embedders', 'voyage', { api_key: 'planted-3', dimensions: 8 }],
      ['embedders', 'cohere', { cohere_key: 'planted-4', dimensions: 8 }],
      ['rerankers', 'jina', { api_key: 'planted-5' }],
      ['rerankers', 'tei', { api_key: 'planted-6' }],
    ] as const;
    for (const [kind, provider, own] of secrets) {
      const name = `sealed ${provider}`;
      const spec = { ...own, base_url: models.urlOf(provider), flavour: 'x' };
      const added = await config.register(kind, {
        name,
        provider,
        config: spec,
        may_be_default: false,
      });
      expect(added.body).toMatchObject({ status: 'ready', ignored_fields: ['config.flavour'] });
      const shown = await config.read(`/resources/${kind}/${encodeURIComponent(name)}`);
      expect(JSON.stringify(shown)).not.toContain('planted');
    }
  });
});
