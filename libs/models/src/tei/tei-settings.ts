import { type Static, Type } from 'typebox';
import { dimensions, inputLength, maxRetryInterval } from '../settings/common-settings.js';
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
  base_url: required(httpUrl),
  /** Of a server that was started with one. */
  api_key: secret(optional(anyText)),
  /** Texts in one request; a server takes 32 unless it was started with another `--max-client-batch-size`. */
  batch_size: withDefault(wholeNumber({ minimum: 1, maximum: 2_048 }), 32),
  max_retry_interval_seconds: maxRetryInterval,
};

export const teiEmbedderSchema = Type.Object({
  /** What the server was started with: vectors of one model are not compared with those of another. */
  model: required(someText),
  dimensions,
  /** Names of prompts of the model, which tell it what a text is. */
  query_prompt_name: optional(someText),
  document_prompt_name: optional(someText),
  max_input_length: withDefault(inputLength, 2_000),
  ...server,
});

export const teiRerankerSchema = Type.Object({
  max_input_length: withDefault(inputLength, 8_000),
  ...server,
});

export type TeiEmbedderSettings = Static<typeof teiEmbedderSchema>;
export type TeiRerankerSettings = Static<typeof teiRerankerSchema>;
