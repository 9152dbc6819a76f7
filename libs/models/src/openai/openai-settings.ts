import { type Static, Type } from 'typebox';
import { maxRetryInterval, prices } from '../settings/common-settings.js';
import { reasoning, sampling } from '../settings/generation-settings.js';
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
  base_url: optional(httpUrl),
  max_retry_interval_seconds: maxRetryInterval,
};

/** `openai-responses` and `openai-chat-completions`. */
export const openAiLanguageModelSchema = Type.Object({
  api_key: secret(required(anyText)),
  model: required(someText),
  ...sampling,
  ...reasoning,
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
