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
  base_url: withDefault(httpUrl, 'https://api.voyageai.com/v1'),
  max_retry_interval_seconds: maxRetryInterval,
};

export const voyageEmbedderSchema = Type.Object({
  model: withDefault(someText, 'voyage-3.5'),
  dimensions,
  max_input_length: withDefault(inputLength, 16_000),
  batch_size: withDefault(wholeNumber({ minimum: 1, maximum: 1_000 }), 128),
  ...server,
});

export const voyageRerankerSchema = Type.Object({
  model: withDefault(someText, 'rerank-2.5'),
  max_input_length: withDefault(inputLength, 8_000),
  ...server,
});

export type VoyageEmbedderSettings = Static<typeof voyageEmbedderSchema>;
export type VoyageRerankerSettings = Static<typeof voyageRerankerSchema>;
