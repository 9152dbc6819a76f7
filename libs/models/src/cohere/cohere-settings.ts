import { maxRetryInterval } from '../openai/openai-settings.js';
import { httpUrl, text } from '../resources/field-readers.js';
import { type Fields, optional, required, secret, type Settings } from '../resources/fields.js';

export const cohereRerankerFields = {
  cohere_key: secret(required(text({ minLength: 1 }))),
  model: optional(text({ minLength: 1 }), 'rerank-english-v3.0'),
  base_url: optional(httpUrl, 'https://api.cohere.com'),
  max_retry_interval_seconds: maxRetryInterval,
} satisfies Fields;

export type CohereRerankerSettings = Settings<typeof cohereRerankerFields>;
