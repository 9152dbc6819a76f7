import { address, AWS, DIMENSIONS, OPENAI_SERVER, secret, text, type Provider } from './setting-fields.js';

/** The providers of embedders, and what each asks for. */
export const EMBEDDERS: readonly Provider[] = [
  {
    id: 'openai',
    name: 'OpenAI, or compatible',
    fields: [
      text('model', 'Model', { placeholder: 'text-embedding-3-small' }),
      secret('api_key', 'API key'),
      OPENAI_SERVER,
      DIMENSIONS,
    ],
  },
  {
    id: 'voyage',
    name: 'Voyage AI',
    fields: [
      secret('api_key', 'API key', { isRequired: true }),
      text('model', 'Model', { placeholder: 'voyage-3.5' }),
      address('https://api.voyageai.com/v1'),
      DIMENSIONS,
    ],
  },
  {
    id: 'jina',
    name: 'Jina AI',
    fields: [
      secret('api_key', 'API key', { isRequired: true }),
      text('model', 'Model', { placeholder: 'jina-embeddings-v3' }),
      address('https://api.jina.ai/v1'),
      DIMENSIONS,
    ],
  },
  {
    id: 'cohere',
    name: 'Cohere',
    fields: [
      secret('cohere_key', 'API key', { isRequired: true }),
      text('model', 'Model', { placeholder: 'embed-v4.0' }),
      address('https://api.cohere.com'),
      DIMENSIONS,
    ],
  },
  {
    id: 'tei',
    name: 'Text Embeddings Inference',
    fields: [
      address('http://127.0.0.1:8081', { isRequired: true }),
      text('model', 'Model that the server runs', { isRequired: true, placeholder: 'BAAI/bge-m3' }),
      secret('api_key', 'API key'),
      text('query_prompt_name', 'Prompt of queries', { hint: 'Its name in the model.' }),
      text('document_prompt_name', 'Prompt of documents'),
      DIMENSIONS,
    ],
  },
  {
    id: 'ollama',
    name: 'Ollama',
    fields: [
      text('model', 'Model', { isRequired: true, placeholder: 'nomic-embed-text' }),
      address('http://127.0.0.1:11434'),
      secret('api_key', 'API key'),
      text('query_prefix', 'Prefix of queries', { placeholder: 'search_query: ', isVerbatim: true }),
      text('document_prefix', 'Prefix of documents', {
        placeholder: 'search_document: ',
        isVerbatim: true,
      }),
      DIMENSIONS,
    ],
  },
  {
    id: 'amazon-bedrock',
    name: 'Amazon Bedrock',
    fields: [
      text('model_id', 'Model id', { placeholder: 'amazon.titan-embed-text-v2:0' }),
      ...AWS,
      DIMENSIONS,
    ],
  },
  {
    id: 'local',
    name: 'Within Loci, on the CPU',
    fields: [text('model', 'Model', { type: 'choice', choices: ['all-minilm-l6-v2', 'gte-small'] })],
  },
];
