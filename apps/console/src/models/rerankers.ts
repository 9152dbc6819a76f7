import { address, AWS, number, secret, text, type Provider } from './setting-fields.js';

/** The providers of rerankers, and what each asks for. */
export const RERANKERS: readonly Provider[] = [
  {
    id: 'cohere',
    name: 'Cohere',
    fields: [
      secret('cohere_key', 'API key', { isRequired: true }),
      text('model', 'Model', { placeholder: 'rerank-english-v3.0' }),
      address('https://api.cohere.com'),
    ],
  },
  {
    id: 'voyage',
    name: 'Voyage AI',
    fields: [
      secret('api_key', 'API key', { isRequired: true }),
      text('model', 'Model', { placeholder: 'rerank-2.5' }),
      address('https://api.voyageai.com/v1'),
    ],
  },
  {
    id: 'jina',
    name: 'Jina AI',
    fields: [
      secret('api_key', 'API key', { isRequired: true }),
      text('model', 'Model', { placeholder: 'jina-reranker-v2-base-multilingual' }),
      address('https://api.jina.ai/v1'),
    ],
  },
  {
    id: 'tei',
    name: 'Text Embeddings Inference',
    fields: [address('http://127.0.0.1:8082', { isRequired: true }), secret('api_key', 'API key')],
  },
  {
    id: 'amazon-bedrock',
    name: 'Amazon Bedrock',
    fields: [text('model_id', 'Model id', { isRequired: true }), ...AWS],
  },
  {
    id: 'embedder',
    name: 'An embedder',
    fields: [text('embedder_id', 'Name of the embedder', { isRequired: true })],
  },
  {
    id: 'bm25',
    name: 'BM25',
    fields: [number('k1', 'k1', { placeholder: '1.5' }), number('b', 'b', { placeholder: '0.75' })],
  },
  {
    id: 'rrf-hybrid',
    name: 'Several rerankers, by reciprocal rank',
    fields: [
      text('reranker_ids', 'Names of rerankers', {
        type: 'list',
        isRequired: true,
        hint: 'Separated by commas.',
      }),
      number('k', 'k', { placeholder: '60' }),
    ],
  },
  { id: 'identity', name: 'None: hits stay as they are', fields: [] },
];
