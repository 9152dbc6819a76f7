import { oneOf } from '@loci/platform/schema';
import { type Static, Type } from 'typebox';
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

const server = {
  base_url: optional(httpUrl),
  max_retry_interval_seconds: maxRetryInterval,
};

const generation = {
  model: required(someText),
  ...sampling,
  ...reasoning,
  ...prices,
};

/** `openai-responses` and `openai-chat-completions`. */
export const openAiLanguageModelSchema = Type.Object({
  api_key: secret(required(anyText)),
  ...generation,
  ...server,
});

/** The model is the name of a deployment. */
export const azureLanguageModelSchema = Type.Object({
  api_key: secret(required(someText)),
  ...generation,
  /** That of the resource, `https://my-resource.openai.azure.com`, with or without `/openai/v1`. */
  base_url: required(httpUrl),
  api: withDefault(oneOf(['chat-completions', 'responses']), 'chat-completions'),
  max_retry_interval_seconds: maxRetryInterval,
});

export const openAiEmbedderSchema = Type.Object({
  api_key: secret(withDefault(anyText, '')),
  model: withDefault(someText, 'text-embedding-3-small'),
  /** Absent: 1536 at OpenAI itself, elsewhere what the first vector has. */
  dimensions,
  max_input_length: optional(inputLength),
  batch_size: withDefault(wholeNumber({ minimum: 1, maximum: 2048 }), 256),
  ...server,
});

export type OpenAiLanguageModelSettings = Static<typeof openAiLanguageModelSchema>;
export type AzureLanguageModelSettings = Static<typeof azureLanguageModelSchema>;
export type OpenAiEmbedderSettings = Static<typeof openAiEmbedderSchema>;
/** How a model of the protocol writes its replies. */
export type OpenAiGenerationSettings = Pick<
  OpenAiLanguageModelSettings,
  'model' | 'temperature' | 'max_output_tokens' | 'reasoning_effort'
>;
export type OpenAiServer = Pick<OpenAiLanguageModelSettings, 'api_key' | 'base_url'>;
