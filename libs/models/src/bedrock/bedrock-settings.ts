import { freeForm, ruled, withKeywords } from '@loci/platform/schema';
import { type Static, type TObject, Type } from 'typebox';
import { dimensions, inputLength, maxRetryInterval, prices } from '../settings/common-settings.js';
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

/** The region becomes a part of a host name. */
const region = ruled(withKeywords(anyText, { pattern: '^[a-z0-9]+(?:-[a-z0-9]+)+$' }), {
  fault: (_value, keyword) =>
    keyword === 'pattern'
      ? { type: 'string_pattern_mismatch', msg: 'Input should be an AWS region such as us-east-1' }
      : undefined,
});

const account = {
  region: required(region),
  aws_access_key_id: secret(optional(anyText)),
  aws_secret_access_key: secret(optional(anyText)),
  aws_session_token: secret(optional(anyText)),
  /** Another address that speaks the protocol of Bedrock. */
  endpoint: optional(httpUrl),
  max_retry_interval_seconds: maxRetryInterval,
};

export const bedrockLanguageModelSchema = Type.Object({
  ...account,
  model_id: required(someText),
  ...sampling,
  /** Taken by families of models that are known to have it: `reasoning-fields.ts`. */
  ...reasoning,
  /** As in the Converse API: `maxTokens`, `temperature`, `topP`, `stopSequences`; counts before the settings above. */
  inference_config: optional(freeForm),
  /** What the model alone knows, for instance how it samples; counts before the effort above. */
  additional_model_request_fields: optional(freeForm),
  ...prices,
});

export const bedrockEmbedderSchema = Type.Object({
  ...account,
  model_id: withDefault(someText, 'amazon.titan-embed-text-v2:0'),
  /** Sent to Titan v2 only; absent: what the first vector has. */
  dimensions,
  max_input_length: optional(inputLength),
  batch_size: withDefault(wholeNumber({ minimum: 1, maximum: 96 }), 32),
});

export const bedrockRerankerSchema = Type.Object({
  ...account,
  model_id: required(someText),
  additional_model_request_fields: optional(freeForm),
});

export type BedrockAccount = Static<TObject<typeof account>>;
export type BedrockLanguageModelSettings = Static<typeof bedrockLanguageModelSchema>;
export type BedrockEmbedderSettings = Static<typeof bedrockEmbedderSchema>;
export type BedrockRerankerSettings = Static<typeof bedrockRerankerSchema>;
