import { Metrics } from '@loci/platform';
import { type FakeModels } from '@loci/testing';
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

/** Definitions of each provider, at the stand-in. */
export const definitionsAt = (fake: FakeModels) => {
  const aws = {
    region: 'us-east-1',
    endpoint: fake.url,
    aws_access_key_id: 'AKIDEXAMPLE',
    aws_secret_access_key: 'secret-of-aws',
  };
  const openAi = { base_url: fake.openAiUrl, api_key: 'the-secret-key' };
  const define = (
    kind: ResourceDefinition['kind'],
    provider: string,
    config: ResourceDefinition['config'],
  ): ResourceDefinition => ({ kind, name: `my-${provider}`, provider, config });
  return {
    responses: define('language_model', 'openai-responses', { ...openAi, model: 'gpt' }),
    chat: define('language_model', 'openai-chat-completions', { ...openAi, model: 'gpt' }),
    converse: define('language_model', 'amazon-bedrock', { ...aws, model_id: 'anthropic.claude' }),
    openAiEmbedder: define('embedder', 'openai', { ...openAi, model: 'embed' }),
    titan: define('embedder', 'amazon-bedrock', { ...aws, model_id: 'amazon.titan-embed-text-v2:0' }),
    cohereEmbedder: define('embedder', 'amazon-bedrock', { ...aws, model_id: 'cohere.embed-english-v3' }),
    cohere: define('reranker', 'cohere', { base_url: fake.url, cohere_key: 'the-secret-key' }),
    bedrockReranker: define('reranker', 'amazon-bedrock', { ...aws, model_id: 'cohere.rerank-v3-5:0' }),
  };
};
