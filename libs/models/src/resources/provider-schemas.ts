import { type ResourceKind } from '@loci/contracts';
import { type ObjectSchema } from '@loci/platform/schema';
import { Type } from 'typebox';
import { anthropicLanguageModelSchema } from '../anthropic/anthropic-settings.js';
import {
  bedrockEmbedderSchema,
  bedrockLanguageModelSchema,
  bedrockRerankerSchema,
} from '../bedrock/bedrock-settings.js';
import { cohereEmbedderSchema, cohereRerankerSchema } from '../cohere/cohere-settings.js';
import { geminiLanguageModelSchema } from '../gemini/gemini-settings.js';
import { jinaEmbedderSchema, jinaRerankerSchema } from '../jina/jina-settings.js';
import { localEmbedderSchema } from '../local/local-settings.js';
import { ollamaEmbedderSchema, ollamaLanguageModelSchema } from '../ollama/ollama-settings.js';
import {
  azureLanguageModelSchema,
  openAiEmbedderSchema,
  openAiLanguageModelSchema,
} from '../openai/openai-settings.js';
import { bm25Schema, embedderRerankerSchema, rrfHybridSchema } from '../rerankers/reranker-settings.js';
import { teiEmbedderSchema, teiRerankerSchema } from '../tei/tei-settings.js';
import { voyageEmbedderSchema, voyageRerankerSchema } from '../voyage/voyage-settings.js';

/** The providers of each kind, and the keys that their configurations have. */
export const PROVIDER_SCHEMAS: Readonly<Record<ResourceKind, Readonly<Record<string, ObjectSchema>>>> = {
  language_model: {
    'openai-responses': openAiLanguageModelSchema,
    'openai-chat-completions': openAiLanguageModelSchema,
    'azure-openai': azureLanguageModelSchema,
    anthropic: anthropicLanguageModelSchema,
    gemini: geminiLanguageModelSchema,
    ollama: ollamaLanguageModelSchema,
    'amazon-bedrock': bedrockLanguageModelSchema,
  },
  embedder: {
    openai: openAiEmbedderSchema,
    voyage: voyageEmbedderSchema,
    jina: jinaEmbedderSchema,
    cohere: cohereEmbedderSchema,
    tei: teiEmbedderSchema,
    ollama: ollamaEmbedderSchema,
    'amazon-bedrock': bedrockEmbedderSchema,
    local: localEmbedderSchema,
  },
  reranker: {
    identity: Type.Object({}),
    bm25: bm25Schema,
    embedder: embedderRerankerSchema,
    'rrf-hybrid': rrfHybridSchema,
    cohere: cohereRerankerSchema,
    voyage: voyageRerankerSchema,
    jina: jinaRerankerSchema,
    tei: teiRerankerSchema,
    'amazon-bedrock': bedrockRerankerSchema,
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
  return name !== undefined && Object.hasOwn(PROVIDER_SCHEMAS[kind], name) ? name : undefined;
}
