import { type ResourceKind } from '@loci/contracts';
import {
  bedrockEmbedderFields,
  bedrockLanguageModelFields,
  bedrockRerankerFields,
} from '../bedrock/bedrock-settings.js';
import { cohereRerankerFields } from '../cohere/cohere-settings.js';
import { localEmbedderFields } from '../local/local-settings.js';
import { openAiEmbedderFields, openAiLanguageModelFields } from '../openai/openai-settings.js';
import { bm25Fields, embedderRerankerFields, rrfHybridFields } from '../rerankers/reranker-settings.js';
import { type Fields } from './fields.js';

/** The providers of each kind, and the keys that their configurations have. */
export const PROVIDER_FIELDS: Readonly<Record<ResourceKind, Readonly<Record<string, Fields>>>> = {
  language_model: {
    'openai-responses': openAiLanguageModelFields,
    'openai-chat-completions': openAiLanguageModelFields,
    'amazon-bedrock': bedrockLanguageModelFields,
  },
  embedder: {
    openai: openAiEmbedderFields,
    'amazon-bedrock': bedrockEmbedderFields,
    local: localEmbedderFields,
  },
  reranker: {
    identity: {},
    bm25: bm25Fields,
    embedder: embedderRerankerFields,
    'rrf-hybrid': rrfHybridFields,
    cohere: cohereRerankerFields,
    'amazon-bedrock': bedrockRerankerFields,
  },
};

/** Other names of language model providers that clients use. */
const ALIASES: Readonly<Record<string, string>> = {
  'vendora-responses': 'openai-responses',
  'vendora-chat-completions': 'openai-chat-completions',
  'vendorb-hosted': 'amazon-bedrock',
};

/** The canonical name, or undefined when there is no such provider of this kind. */
export function canonicalProvider(kind: ResourceKind, given: string): string | undefined {
  const name = kind === 'language_model' && Object.hasOwn(ALIASES, given) ? ALIASES[given] : given;
  return name !== undefined && Object.hasOwn(PROVIDER_FIELDS[kind], name) ? name : undefined;
}
