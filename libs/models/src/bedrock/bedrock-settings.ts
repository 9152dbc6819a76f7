import { maxRetryInterval, prices } from '../openai/openai-settings.js';
import { httpUrl, integer, jsonObject, matching, text } from '../resources/field-readers.js';
import { type Fields, optional, required, secret, type Settings } from '../resources/fields.js';

/** The region becomes a part of a host name. */
const region = matching(/^[a-z0-9]+(?:-[a-z0-9]+)+$/, 'an AWS region such as us-east-1');

const account = {
  region: required(region),
  aws_access_key_id: secret(optional(text())),
  aws_secret_access_key: secret(optional(text())),
  aws_session_token: secret(optional(text())),
  /** Another address that speaks the protocol of Bedrock. */
  endpoint: optional(httpUrl),
  max_retry_interval_seconds: maxRetryInterval,
} satisfies Fields;

export const bedrockLanguageModelFields = {
  ...account,
  model_id: required(text({ minLength: 1 })),
  /** As in the Converse API: `maxTokens`, `temperature`, `topP`, `stopSequences`. */
  inference_config: optional(jsonObject),
  additional_model_request_fields: optional(jsonObject),
  ...prices,
} satisfies Fields;

export const bedrockEmbedderFields = {
  ...account,
  model_id: optional(text({ minLength: 1 }), 'amazon.titan-embed-text-v2:0'),
  /** Sent to Titan v2 only; absent: what the first vector has. */
  dimensions: optional(integer({ atLeast: 1, atMost: 65_536 })),
  max_input_length: optional(integer({ atLeast: 2, atMost: 10_000_000 })),
  batch_size: optional(integer({ atLeast: 1, atMost: 96 }), 32),
} satisfies Fields;

export const bedrockRerankerFields = {
  ...account,
  model_id: required(text({ minLength: 1 })),
  additional_model_request_fields: optional(jsonObject),
} satisfies Fields;

export type BedrockAccount = Settings<typeof account>;
export type BedrockLanguageModelSettings = Settings<typeof bedrockLanguageModelFields>;
export type BedrockEmbedderSettings = Settings<typeof bedrockEmbedderFields>;
export type BedrockRerankerSettings = Settings<typeof bedrockRerankerFields>;
