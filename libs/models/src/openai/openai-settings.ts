import { number } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import {
  anyText,
  httpUrl,
  optional,
  required,
  secret,
  someText,
  wholeNumber,
  withDefault,
} from '../resources/settings-schema.js';

/** Seconds; the longest pause that a provider may ask for before the call is given up. */
export const maxRetryInterval = withDefault(number({ exclusiveMinimum: 0 }), 120);

const server = {
  base_url: optional(httpUrl),
  max_retry_interval_seconds: maxRetryInterval,
};

/** What a million tokens cost: nothing here depends on it, it is what usage is reckoned with. */
export const prices = {
  input_price_per_million: optional(number({ minimum: 0 })),
  output_price_per_million: optional(number({ minimum: 0 })),
};

/** `openai-responses` and `openai-chat-completions`. */
export const openAiLanguageModelSchema = Type.Object({
  api_key: secret(required(anyText)),
  model: required(someText),
  ...prices,
  ...server,
});

export const openAiEmbedderSchema = Type.Object({
  api_key: secret(withDefault(anyText, '')),
  model: withDefault(someText, 'text-embedding-3-small'),
  /** Absent: 1536 at OpenAI itself, elsewhere what the first vector has. */
  dimensions: optional(wholeNumber({ minimum: 1, maximum: 65_536 })),
  /** Characters per input; longer texts are split evenly and their vectors averaged. */
  max_input_length: optional(wholeNumber({ minimum: 2, maximum: 10_000_000 })),
  batch_size: withDefault(wholeNumber({ minimum: 1, maximum: 2048 }), 256),
  ...server,
});

export type OpenAiLanguageModelSettings = Static<typeof openAiLanguageModelSchema>;
export type OpenAiEmbedderSettings = Static<typeof openAiEmbedderSchema>;
export type OpenAiServer = Pick<OpenAiLanguageModelSettings, 'api_key' | 'base_url'>;
