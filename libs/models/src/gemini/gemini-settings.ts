import { type Static, Type } from 'typebox';
import { maxRetryInterval, prices } from '../settings/common-settings.js';
import { reasoning, sampling } from '../settings/generation-settings.js';
import { httpUrl, required, secret, someText, withDefault } from '../settings/settings-schema.js';

export const geminiLanguageModelSchema = Type.Object({
  api_key: secret(required(someText)),
  model: required(someText),
  ...sampling,
  ...reasoning,
  ...prices,
  base_url: withDefault(httpUrl, 'https://generativelanguage.googleapis.com/v1beta'),
  max_retry_interval_seconds: maxRetryInterval,
});

export type GeminiLanguageModelSettings = Static<typeof geminiLanguageModelSchema>;
