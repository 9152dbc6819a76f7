import { type Static, Type } from 'typebox';
import { dimensions, inputLength, maxRetryInterval } from '../settings/common-settings.js';
import {
  httpUrl,
  required,
  secret,
  someText,
  wholeNumber,
  withDefault,
} from '../settings/settings-schema.js';

const server = {
  api_key: secret(required(someText)),
  base_url: withDefault(httpUrl, 'https://api.jina.ai/v1'),
  max_retry_interval_seconds: maxRetryInterval,
};

export const jinaEmbedderSchema = Type.Object({
  model: withDefault(someText, 'jina-embeddings-v3'),
  dimensions,
  max_input_length: withDefault(inputLength, 8_000),
  batch_size: withDefault(wholeNumber({ minimum: 1, maximum: 512 }), 128),
  ...server,
});

export const jinaRerankerSchema = Type.Object({
  model: withDefault(someText, 'jina-reranker-v2-base-multilingual'),
  max_input_length: withDefault(inputLength, 8_000),
  ...server,
});

export type JinaEmbedderSettings = Static<typeof jinaEmbedderSchema>;
export type JinaRerankerSettings = Static<typeof jinaRerankerSchema>;
