import { createAnthropic } from '@ai-sdk/anthropic';
import { AiSdkClient } from '../ai-sdk/ai-sdk-client.js';
import { aiSdkFailure } from '../ai-sdk/ai-sdk-failure.js';
import { type EgressGuard } from '../egress/egress-guard.js';
import { type AnthropicLanguageModelSettings } from './anthropic-settings.js';

/**
 * The Messages API of Anthropic. JSON is asked for as structured output, of models that do not have it as a tool that they
 * must call. What stands before the cache mark is kept for five minutes.
 */
export const anthropicClient = (
  settings: AnthropicLanguageModelSettings,
  guard: EgressGuard,
): AiSdkClient => {
  const { api_key: apiKey, base_url: baseURL, model } = settings;
  return new AiSdkClient(
    {
      model: (fetch) => createAnthropic({ apiKey, baseURL, fetch })(model),
      settings,
      formats: [
        { schema: 'strict' },
        { schema: 'plain', options: { anthropic: { structuredOutputMode: 'jsonTool' } } },
        { schema: 'words' },
      ],
      endOfBeginning: { anthropic: { cacheControl: { type: 'ephemeral' } } },
      toFailure: aiSdkFailure,
    },
    guard,
  );
};
