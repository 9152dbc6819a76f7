import { type Static, Type } from 'typebox';
import { maxRetryInterval } from '../settings/common-settings.js';
import { httpUrl, required, secret, someText, withDefault } from '../settings/settings-schema.js';

export const cohereRerankerSchema = Type.Object({
  cohere_key: secret(required(someText)),
  model: withDefault(someText, 'rerank-english-v3.0'),
  base_url: withDefault(httpUrl, 'https://api.cohere.com'),
  max_retry_interval_seconds: maxRetryInterval,
});

export type CohereRerankerSettings = Static<typeof cohereRerankerSchema>;
