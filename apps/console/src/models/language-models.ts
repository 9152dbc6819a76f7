import {
  address,
  AWS,
  EFFORTS,
  generation,
  number,
  OPENAI_MODEL,
  PRICES,
  secret,
  text,
  type Provider,
} from './setting-fields.js';

/** The providers of language models, and what each asks for. */
export const LANGUAGE_MODELS: readonly Provider[] = [
  { id: 'openai-responses', name: 'OpenAI, Responses API', fields: OPENAI_MODEL },
  { id: 'openai-chat-completions', name: 'OpenAI, or compatible: Chat Completions', fields: OPENAI_MODEL },
  {
    id: 'azure-openai',
    name: 'Azure OpenAI',
    fields: [
      address('https://my-resource.openai.azure.com', { isRequired: true }),
      text('model', 'Deployment', { isRequired: true }),
      secret('api_key', 'API key', { isRequired: true }),
      text('api', 'API', { type: 'choice', choices: ['chat-completions', 'responses'] }),
      ...generation(2, EFFORTS),
      ...PRICES,
    ],
  },
  {
    id: 'anthropic',
    name: 'Anthropic',
    fields: [
      text('model', 'Model', { isRequired: true, placeholder: 'claude-haiku-4-5' }),
      secret('api_key', 'API key', { isRequired: true }),
      address('https://api.anthropic.com/v1'),
      ...generation(1, EFFORTS),
      ...PRICES,
    ],
  },
  {
    id: 'gemini',
    name: 'Google Gemini',
    fields: [
      text('model', 'Model', { isRequired: true, placeholder: 'gemini-2.5-flash' }),
      secret('api_key', 'API key', { isRequired: true }),
      address('https://generativelanguage.googleapis.com/v1beta'),
      ...generation(2, EFFORTS),
      ...PRICES,
    ],
  },
  {
    id: 'ollama',
    name: 'Ollama',
    fields: [
      text('model', 'Model', { isRequired: true, placeholder: 'qwen3:8b' }),
      address('http://127.0.0.1:11434'),
      secret('api_key', 'API key'),
      number('context_length', 'Context in tokens', { hint: 'Servers have few unless they are told.' }),
      ...generation(2, ['none', 'low', 'medium', 'high']),
    ],
  },
  {
    id: 'amazon-bedrock',
    name: 'Amazon Bedrock',
    fields: [
      text('model_id', 'Model id', { isRequired: true }),
      ...AWS,
      ...generation(2, ['none', 'low', 'medium', 'high']),
      ...PRICES,
    ],
  },
];
