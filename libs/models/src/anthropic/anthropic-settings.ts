import { type Static, Type } from 'typebox';
import { maxRetryInterval, prices } from '../settings/common-settings.js';
import { reasoning, samplingUpTo } from '../settings/generation-settings.js';
import { httpUrl, required, secret, someText, withDefault } from '../settings/settings-schema.js';

const MAX_TEMPERATURE = 1;

export const anthropicLanguageModelSchema = Type.Object({
  api_key: secret(required(someText)),
  model: required(someText),
  ...samplingUpTo(MAX_TEMPERATURE),
  ...reasoning,
  ...prices,
  base_url: withDefault(httpUrl, 'https://api.anthropic.com/v1'),
  max_retry_interval_seconds: maxRetryInterval,
});

export type AnthropicLanguageModelSettings = Static<typeof anthropicLanguageModelSchema>;
