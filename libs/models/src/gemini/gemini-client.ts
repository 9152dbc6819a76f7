import { createGoogle } from '@ai-sdk/google';
import { AiSdkClient } from '../ai-sdk/ai-sdk-client.js';
import { type EgressGuard } from '../egress/egress-guard.js';
import { geminiFailure } from './gemini-failure.js';
import { type GeminiLanguageModelSettings } from './gemini-settings.js';

/** The Gemini API. It finds by itself what it has kept of the beginning of a request. */
export const geminiClient = (settings: GeminiLanguageModelSettings, guard: EgressGuard): AiSdkClient => {
  const { api_key: apiKey, base_url: baseURL, model } = settings;
  return new AiSdkClient(
    {
      model: (fetch) => createGoogle({ apiKey, baseURL, fetch })(model),
      settings,
      formats: [{ schema: 'strict' }, { schema: 'plain' }, { schema: 'words' }],
      toFailure: geminiFailure,
    },
    guard,
  );
};
