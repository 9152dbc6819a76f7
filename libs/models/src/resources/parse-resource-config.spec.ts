import { type AppError, type ResourceKind } from '@loci/contracts';
import { describe, expect, test } from '@jest/globals';
import { parseResourceConfig, secretKeysOf, withDialledAddresses } from './parse-resource-config.js';

function problemsOf(kind: ResourceKind, provider: unknown, config: unknown): unknown {
  try {
    parseResourceConfig(kind, provider, config);
    return [];
  } catch (error) {
    return (error as AppError).details.problems?.map(({ loc, type }) => [loc.join('.'), type]);
  }
}

test.each([
  ['vendora-responses', 'openai-responses', { api_key: 'k', model: 'm' }],
  ['vendora-chat-completions', 'openai-chat-completions', { api_key: 'k', model: 'm' }],
  ['vendorb-hosted', 'amazon-bedrock', { region: 'us-east-1', model_id: 'm' }],
])('%s is another name of %s', (alias, provider, config) => {
  expect(parseResourceConfig('language_model', alias, config).provider).toBe(provider);
});

test('defaults are filled in, unknown keys are kept, references stay as they are', () => {
  const given = { api_key: '${KEY}', base_url: 'http://localhost:1/v1', flavour: 'x' };
  expect(parseResourceConfig('embedder', 'openai', given).config).toEqual({
    ...given,
    model: 'text-embedding-3-small',
    batch_size: 256,
    max_retry_interval_seconds: 120,
  });
});

describe('a configuration with problems names them all', () => {
  test.each<[ResourceKind, unknown, unknown, [string, string][]]>([
    [
      'language_model',
      'openai-responses',
      {},
      [
        ['body.config.api_key', 'missing'],
        ['body.config.model', 'missing'],
      ],
    ],
    [
      'language_model',
      'amazon-bedrock',
      {},
      [
        ['body.config.region', 'missing'],
        ['body.config.model_id', 'missing'],
      ],
    ],
    [
      'language_model',
      'openai-responses',
      { api_key: '', model: 'm' },
      [['body.config.api_key', 'string_too_short']],
    ],
    [
      'language_model',
      'openai-responses',
      { api_key: 1, model: '' },
      [
        ['body.config.api_key', 'string_type'],
        ['body.config.model', 'string_too_short'],
      ],
    ],
    [
      'language_model',
      'openai-responses',
      { api_key: 'k', model: 'm', base_url: 'nowhere' },
      [['body.config.base_url', 'url_parsing']],
    ],
    [
      'language_model',
      'openai-responses',
      { api_key: 'k', model: 'm', base_url: 'http://u:p@h/' },
      [['body.config.base_url', 'url_parsing']],
    ],
    [
      'language_model',
      'openai-responses',
      { api_key: 'k', model: 'm', base_url: 'http://44.44.44.44\\@127.0.0.1' },
      [['body.config.base_url', 'url_parsing']],
    ],
    [
      'language_model',
      'openai-responses',
      { api_key: 'k', model: 'm', base_url: 'http://h/v1?key=k' },
      [['body.config.base_url', 'url_parsing']],
    ],
    [
      'language_model',
      'openai-responses',
      { api_key: 'k', model: 'm', base_url: 'http://h/v1#k' },
      [['body.config.base_url', 'url_parsing']],
    ],
    [
      'language_model',
      'amazon-bedrock',
      { region: 'evil.com/#', model_id: 'm' },
      [['body.config.region', 'string_pattern_mismatch']],
    ],
    [
      'language_model',
      'vendorb-hosted',
      { region: 'us-east-1', model_id: 'amazon.nova-lite-v1:0', reasoning_effort: 'low' },
      [['body.config.reasoning_effort', 'value_error']],
    ],
    [
      'language_model',
      'amazon-bedrock',
      { region: 'us-east-1', model_id: 'openai.gpt-oss-120b-1:0', reasoning_effort: 'xhigh' },
      [['body.config.reasoning_effort', 'value_error']],
    ],
    [
      'language_model',
      'amazon-bedrock',
      { region: 'us-east-1', model_id: 'openai.gpt-oss-120b-1:0', reasoning_effort: 'huge' },
      [['body.config.reasoning_effort', 'enum']],
    ],
    ['embedder', 'openai', {}, [['body.config.api_key', 'missing']]],
    [
      'embedder',
      'openai',
      { api_key: 'k', dimensions: 0, batch_size: 1.5 },
      [
        ['body.config.dimensions', 'greater_than_equal'],
        ['body.config.batch_size', 'int_type'],
      ],
    ],
    ['reranker', 'rrf-hybrid', { reranker_ids: [] }, [['body.config.reranker_ids', 'list_type']]],
    [
      'reranker',
      'bm25',
      { tokenizer: 'x', b: 2 },
      [
        ['body.config.b', 'less_than_equal'],
        ['body.config.tokenizer', 'enum'],
      ],
    ],
    ['reranker', 'cohere', { base_url: 'https://x' }, [['body.config.cohere_key', 'missing']]],
    ['language_model', 'nobody', {}, [['body.provider', 'enum']]],
    ['language_model', 'toString', {}, [['body.provider', 'enum']]],
    ['embedder', 'vendorb-hosted', {}, [['body.provider', 'enum']]],
    ['embedder', 'local', 'text', [['body.config', 'dict_type']]],
    ['embedder', 'local', { model: 'gte-huge' }, [['body.config.model', 'enum']]],
  ])('%s %s %j', (kind, provider, config, expected) => {
    expect(problemsOf(kind, provider, config)).toEqual(expected);
  });
});

test('an empty key is accepted where a server of one’s own is named', () => {
  const config = { api_key: '', model: 'm', base_url: 'http://localhost:8000/v1' };
  expect(problemsOf('language_model', 'openai-chat-completions', config)).toEqual([]);
});

test('the keys that hold secrets are known', () => {
  expect(secretKeysOf('language_model', 'openai-responses')).toEqual(['api_key']);
  expect(secretKeysOf('reranker', 'cohere')).toEqual(['cohere_key']);
  expect(secretKeysOf('embedder', 'amazon-bedrock')).toEqual([
    'aws_access_key_id',
    'aws_secret_access_key',
    'aws_session_token',
  ]);
});

test('addresses of every provider are known, and nothing else is taken for one', () => {
  const written = { base_url: 'http://0x7f.1', endpoint: 'HTTP://HOST', model: 'HTTP://HOST', flavour: 'x' };
  expect(withDialledAddresses('reranker', 'tei', written)).toEqual({
    ...written,
    base_url: 'http://127.0.0.1',
  });
  expect(withDialledAddresses('embedder', 'amazon-bedrock', written)).toEqual({
    ...written,
    endpoint: 'http://host',
  });
});
