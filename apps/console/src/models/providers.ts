/** The kinds of models by their names in paths. */
export const KINDS = {
  language_models: 'Language models',
  embedders: 'Embedders',
  rerankers: 'Rerankers',
} as const;
export type Kind = keyof typeof KINDS;

export const KIND_NAMES: readonly Kind[] = ['language_models', 'embedders', 'rerankers'];

/** A setting of a provider, as a form asks for it. */
export interface SettingField {
  readonly key: string;
  readonly label: string;
  readonly type: 'text' | 'secret' | 'number' | 'choice' | 'list' | 'json';
  readonly isRequired?: boolean;
  readonly placeholder?: string;
  readonly hint?: string;
  readonly choices?: readonly string[];
}

export interface Provider {
  readonly id: string;
  readonly name: string;
  readonly fields: readonly SettingField[];
}

const text = (key: string, label: string, more: Partial<SettingField> = {}): SettingField => ({
  key,
  label,
  type: 'text',
  ...more,
});

const SECRET_HINT = 'Stored encrypted and never shown. $LOCI_MODEL_SECRET_… takes it from the environment.';
const secret = (key: string, label: string, more: Partial<SettingField> = {}): SettingField =>
  text(key, label, { type: 'secret', hint: SECRET_HINT, ...more });
const number = (key: string, label: string, more: Partial<SettingField> = {}): SettingField =>
  text(key, label, { type: 'number', ...more });

const OPENAI_SERVER = text('base_url', 'Address', {
  placeholder: 'https://api.openai.com/v1',
  hint: 'Of another server that speaks the same protocol.',
});
const PRICES = [
  number('input_price_per_million', 'Price of a million input tokens'),
  number('output_price_per_million', 'Price of a million output tokens'),
];
const OPENAI_MODEL = [
  text('model', 'Model', { isRequired: true, placeholder: 'gpt-5-mini' }),
  secret('api_key', 'API key', { isRequired: true }),
  OPENAI_SERVER,
  ...PRICES,
];
const AWS = [
  text('region', 'Region', { isRequired: true, placeholder: 'us-east-1' }),
  secret('aws_access_key_id', 'Access key id'),
  secret('aws_secret_access_key', 'Secret access key'),
  text('endpoint', 'Endpoint', { hint: 'Another address that speaks the protocol of Bedrock.' }),
];

/** The providers of each kind, and what each asks for. */
export const PROVIDERS: Readonly<Record<Kind, readonly Provider[]>> = {
  language_models: [
    { id: 'openai-responses', name: 'OpenAI, Responses API', fields: OPENAI_MODEL },
    { id: 'openai-chat-completions', name: 'OpenAI, or compatible: Chat Completions', fields: OPENAI_MODEL },
    {
      id: 'amazon-bedrock',
      name: 'Amazon Bedrock',
      fields: [text('model_id', 'Model id', { isRequired: true }), ...AWS, ...PRICES],
    },
  ],
  embedders: [
    {
      id: 'openai',
      name: 'OpenAI, or compatible',
      fields: [
        text('model', 'Model', { placeholder: 'text-embedding-3-small' }),
        secret('api_key', 'API key'),
        OPENAI_SERVER,
        number('dimensions', 'Dimensions'),
      ],
    },
    {
      id: 'amazon-bedrock',
      name: 'Amazon Bedrock',
      fields: [
        text('model_id', 'Model id', { placeholder: 'amazon.titan-embed-text-v2:0' }),
        ...AWS,
        number('dimensions', 'Dimensions'),
      ],
    },
    {
      id: 'local',
      name: 'Within Loci, on the CPU',
      fields: [text('model', 'Model', { type: 'choice', choices: ['all-minilm-l6-v2', 'gte-small'] })],
    },
  ],
  rerankers: [
    {
      id: 'cohere',
      name: 'Cohere',
      fields: [
        secret('cohere_key', 'API key', { isRequired: true }),
        text('model', 'Model', { placeholder: 'rerank-english-v3.0' }),
        text('base_url', 'Address', { placeholder: 'https://api.cohere.com' }),
      ],
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
  ],
};

/** What was typed, as the API takes it; what was left empty is absent. */
export function configOf(
  fields: readonly SettingField[],
  typed: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const config: Record<string, unknown> = {};
  for (const { key, type } of fields) {
    const value = (typed[key] ?? '').trim();
    if (value === '') continue;
    if (type === 'number') config[key] = Number(value);
    else if (type === 'list')
      config[key] = value
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== '');
    else config[key] = value;
  }
  return config;
}
