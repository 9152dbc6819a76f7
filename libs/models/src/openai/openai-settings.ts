import { httpUrl, integer, number, text } from '../resources/field-readers.js';
import { type Fields, optional, required, secret, type Settings } from '../resources/fields.js';

/** Seconds; the longest pause that a provider may ask for before the call is given up. */
export const maxRetryInterval = optional(number({ above: 0 }), 120);

const server = {
  base_url: optional(httpUrl),
  max_retry_interval_seconds: maxRetryInterval,
} satisfies Fields;

/** What a million tokens cost: nothing here depends on it, it is what usage is reckoned with. */
export const prices = {
  input_price_per_million: optional(number({ atLeast: 0 })),
  output_price_per_million: optional(number({ atLeast: 0 })),
} satisfies Fields;

/** `openai-responses` and `openai-chat-completions`. */
export const openAiLanguageModelFields = {
  api_key: secret(required(text())),
  model: required(text({ minLength: 1 })),
  ...prices,
  ...server,
} satisfies Fields;

export const openAiEmbedderFields = {
  api_key: secret(optional(text(), '')),
  model: optional(text({ minLength: 1 }), 'text-embedding-3-small'),
  /** Absent: 1536 at OpenAI itself, elsewhere what the first vector has. */
  dimensions: optional(integer({ atLeast: 1, atMost: 65_536 })),
  /** Characters per input; longer texts are split evenly and their vectors averaged. */
  max_input_length: optional(integer({ atLeast: 2, atMost: 10_000_000 })),
  batch_size: optional(integer({ atLeast: 1, atMost: 2048 }), 256),
  ...server,
} satisfies Fields;

export type OpenAiLanguageModelSettings = Settings<typeof openAiLanguageModelFields>;
export type OpenAiEmbedderSettings = Settings<typeof openAiEmbedderFields>;
export type OpenAiServer = Pick<OpenAiLanguageModelSettings, 'api_key' | 'base_url'>;
