/** Refers to a variable of the environment of the services. */
const key = (provider: string): string => `$LOCI_MODEL_SECRET_${provider}`;

const AWS = {
  region: 'eu-central-1',
  aws_access_key_id: key('AWS_ID'),
  aws_secret_access_key: key('AWS_KEY'),
};

/** By kind and provider: a configuration that works once its key is there. */
const CONFIGS: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  language_models: {
    'openai-responses': { model: 'gpt-5-mini', api_key: key('OPENAI') },
    'openai-chat-completions': { model: 'gpt-5-mini', api_key: key('OPENAI') },
    'azure-openai': {
      base_url: 'https://my-resource.openai.azure.com',
      model: 'my-deployment',
      api_key: key('AZURE'),
    },
    anthropic: { model: 'claude-haiku-4-5', api_key: key('ANTHROPIC') },
    gemini: { model: 'gemini-2.5-flash', api_key: key('GEMINI') },
    ollama: { model: 'qwen3:8b', base_url: 'http://127.0.0.1:11434', context_length: 32_768 },
    'amazon-bedrock': { ...AWS, model_id: 'eu.anthropic.claude-haiku-4-5-20251001-v1:0' },
  },
  embedders: {
    openai: { model: 'text-embedding-3-small', api_key: key('OPENAI') },
    voyage: { model: 'voyage-3.5', api_key: key('VOYAGE') },
    jina: { model: 'jina-embeddings-v3', api_key: key('JINA') },
    cohere: { model: 'embed-v4.0', cohere_key: key('COHERE') },
    tei: { model: 'BAAI/bge-m3', base_url: 'http://127.0.0.1:8081' },
    ollama: {
      model: 'nomic-embed-text',
      base_url: 'http://127.0.0.1:11434',
      query_prefix: 'search_query: ',
      document_prefix: 'search_document: ',
    },
    'amazon-bedrock': { ...AWS, model_id: 'amazon.titan-embed-text-v2:0' },
    local: { model: 'all-minilm-l6-v2' },
  },
  rerankers: {
    identity: {},
    bm25: {},
    embedder: { embedder_id: 'local' },
    'rrf-hybrid': { reranker_ids: ['bm25', 'identity'] },
    cohere: { model: 'rerank-v3.5', cohere_key: key('COHERE') },
    voyage: { model: 'rerank-2.5', api_key: key('VOYAGE') },
    jina: { model: 'jina-reranker-v2-base-multilingual', api_key: key('JINA') },
    tei: { base_url: 'http://127.0.0.1:8082' },
    'amazon-bedrock': { ...AWS, model_id: 'cohere.rerank-v3-5:0' },
  },
};

/** Bodies that add a model, one for each provider of each kind. */
export const RESOURCE_EXAMPLES: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(CONFIGS).flatMap(([kind, providers]) =>
    Object.entries(providers).map(([provider, config]) => [
      `${kind}: ${provider}`,
      { name: provider, provider, config },
    ]),
  ),
);
