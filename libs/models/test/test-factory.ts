import { Metrics } from '@loci/platform';
import { type FakeModels, type StandInName } from '@loci/testing';
import { randomBytes } from 'node:crypto';
import { type CallLimits } from '../src/calls/call-limits.js';
import { ModelFactory, type ModelFactoryOptions } from '../src/model-factory.js';
import { type ModelPeers } from '../src/resources/model-peers.js';
import { type ResourceDefinition } from '../src/resource-definition.js';
import { DEFAULT_SECRET_PREFIX } from '../src/secrets/references.js';
import { KeyRing } from '../src/secrets/key-ring.js';
import { SecretBox } from '../src/secrets/secret-box.js';

/** Pauses too short to notice. */
export const FAST: Partial<CallLimits> = { firstPauseMs: 1, circuitThreshold: 100 };

export const secretBox = new SecretBox(KeyRing.parse(`k1:${randomBytes(32).toString('base64')}`));

export const testFactory = (options: Partial<ModelFactoryOptions> = {}): ModelFactory =>
  new ModelFactory({
    references: { environment: {}, prefix: DEFAULT_SECRET_PREFIX },
    secretBox,
    egress: { allowPrivate: true },
    metrics: new Metrics('test'),
    localEmbedder: () => Promise.reject(new Error('no local embedder here')),
    limits: FAST,
    ...options,
  });

export const noPeers: ModelPeers = {
  embedder: (name) => Promise.reject(new Error(`no embedder ${name}`)),
  reranker: (name) => Promise.reject(new Error(`no reranker ${name}`)),
};

/** The providers of each kind, by their names below. */
export const LANGUAGE_MODELS = [
  'responses',
  'chat',
  'azure',
  'azureResponses',
  'anthropic',
  'gemini',
  'ollama',
  'converse',
] as const;
export const EMBEDDERS = [
  'openAiEmbedder',
  'voyage',
  'jina',
  'cohereNative',
  'tei',
  'ollamaEmbedder',
  'titan',
  'cohereEmbedder',
] as const;
export const RERANKERS = [
  'cohere',
  'voyageReranker',
  'jinaReranker',
  'teiReranker',
  'bedrockReranker',
] as const;

/** Definitions of each provider, at the stand-in. */
export const definitionsAt = (fake: FakeModels) => {
  const aws = {
    region: 'us-east-1',
    endpoint: fake.url,
    aws_access_key_id: 'AKIDEXAMPLE',
    aws_secret_access_key: 'secret-of-aws',
  };
  const at = (provider: StandInName) => ({ base_url: fake.urlOf(provider), api_key: 'the-secret-key' });
  const openAi = at('openai');
  const define = (
    kind: ResourceDefinition['kind'],
    provider: string,
    config: ResourceDefinition['config'],
  ): ResourceDefinition => ({ kind, name: `my-${provider}`, provider, config });
  return {
    responses: define('language_model', 'openai-responses', { ...openAi, model: 'gpt' }),
    chat: define('language_model', 'openai-chat-completions', { ...openAi, model: 'gpt' }),
    azure: define('language_model', 'azure-openai', { ...at('azure'), model: 'gpt' }),
    azureResponses: define('language_model', 'azure-openai', {
      ...at('azure'),
      model: 'gpt',
      api: 'responses',
    }),
    anthropic: define('language_model', 'anthropic', { ...at('anthropic'), model: 'claude-sonnet-5' }),
    gemini: define('language_model', 'gemini', { ...at('gemini'), model: 'gemini-2.5-flash' }),
    ollama: define('language_model', 'ollama', { ...at('ollama'), model: 'qwen3' }),
    converse: define('language_model', 'amazon-bedrock', {
      ...aws,
      model_id: 'eu.anthropic.claude-sonnet-4-6',
    }),
    openAiEmbedder: define('embedder', 'openai', { ...openAi, model: 'embed' }),
    voyage: define('embedder', 'voyage', at('voyage')),
    jina: define('embedder', 'jina', at('jina')),
    cohereNative: define('embedder', 'cohere', { base_url: fake.url, cohere_key: 'the-secret-key' }),
    tei: define('embedder', 'tei', { ...at('tei'), model: 'bge' }),
    ollamaEmbedder: define('embedder', 'ollama', { ...at('ollama'), model: 'nomic-embed-text' }),
    titan: define('embedder', 'amazon-bedrock', { ...aws, model_id: 'amazon.titan-embed-text-v2:0' }),
    cohereEmbedder: define('embedder', 'amazon-bedrock', { ...aws, model_id: 'cohere.embed-english-v3' }),
    cohere: define('reranker', 'cohere', { base_url: fake.url, cohere_key: 'the-secret-key' }),
    voyageReranker: define('reranker', 'voyage', at('voyage')),
    jinaReranker: define('reranker', 'jina', at('jina')),
    teiReranker: define('reranker', 'tei', at('tei')),
    bedrockReranker: define('reranker', 'amazon-bedrock', { ...aws, model_id: 'cohere.rerank-v3-5:0' }),
  };
};
