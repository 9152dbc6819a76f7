import { type Static, Type } from 'typebox';
import { dimensions, inputLength, maxRetryInterval } from '../settings/common-settings.js';
import {
  httpUrl,
  optional,
  required,
  secret,
  someText,
  wholeNumber,
  withDefault,
} from '../settings/settings-schema.js';

const server = {
  cohere_key: secret(required(someText)),
  base_url: withDefault(httpUrl, 'https://api.cohere.com'),
  max_retry_interval_seconds: maxRetryInterval,
};

export const cohereEmbedderSchema = Type.Object({
  model: withDefault(someText, 'embed-v4.0'),
  /** Sent to embed-v4 and later ones only; absent: what the first vector has. */
  dimensions,
  max_input_length: optional(inputLength),
  batch_size: withDefault(wholeNumber({ minimum: 1, maximum: 96 }), 96),
  ...server,
});

export const cohereRerankerSchema = Type.Object({
  model: withDefault(someText, 'rerank-english-v3.0'),
  ...server,
});

export type CohereEmbedderSettings = Static<typeof cohereEmbedderSchema>;
export type CohereRerankerSettings = Static<typeof cohereRerankerSchema>;
