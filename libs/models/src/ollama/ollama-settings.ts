import { number, oneOf } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
import { dimensions, inputLength, maxRetryInterval, prices } from '../settings/common-settings.js';
import { sampling } from '../settings/generation-settings.js';
import {
  anyText,
  httpUrl,
  optional,
  required,
  secret,
  someText,
  wholeNumber,
  withDefault,
} from '../settings/settings-schema.js';

const server = {
  base_url: withDefault(httpUrl, 'http://127.0.0.1:11434'),
  /** For ollama.com, or a proxy that asks for one. */
  api_key: secret(optional(anyText)),
  /** Minutes that the server keeps the model in memory after a request; 0: none. */
  keep_alive_minutes: optional(number({ minimum: 0, maximum: 100_000 })),
  max_retry_interval_seconds: maxRetryInterval,
};

export const ollamaLanguageModelSchema = Type.Object({
  model: required(someText),
  ...sampling,
  /** Of a model that thinks before it replies. */
  reasoning_effort: optional(oneOf(['none', 'low', 'medium', 'high'])),
  /** Tokens that the model reads and writes at most; absent: as the server has it, which may be few. */
  context_length: optional(wholeNumber({ minimum: 256, maximum: 10_000_000 })),
  ...prices,
  ...server,
});

export const ollamaEmbedderSchema = Type.Object({
  model: required(someText),
  dimensions,
  /** Some models want to be told what a text is: this is put before a query, such as `search_query: `. */
  query_prefix: optional(anyText),
  document_prefix: optional(anyText),
  max_input_length: withDefault(inputLength, 2_000),
  batch_size: withDefault(wholeNumber({ minimum: 1, maximum: 1_000 }), 64),
  ...server,
});

export type OllamaLanguageModelSettings = Static<typeof ollamaLanguageModelSchema>;
export type OllamaEmbedderSettings = Static<typeof ollamaEmbedderSchema>;
export type OllamaServer = Pick<OllamaEmbedderSettings, 'api_key' | 'base_url' | 'keep_alive_minutes'>;
