import { type EgressGuard } from '../egress/egress-guard.js';
import { openAiClient, type OpenAiEndpoint } from '../openai/openai-client.js';
import { type AzureLanguageModelSettings } from '../openai/openai-settings.js';

const API_PATH = '/openai/v1';

/** Azure OpenAI: the protocol of OpenAI, with a key in a header of its own. */
export function azureEndpoint(
  { base_url: base, api_key: key }: AzureLanguageModelSettings,
  guard: EgressGuard,
): OpenAiEndpoint {
  const url = base.replace(/\/+$/, '');
  const baseURL = new URL(url).pathname === '/' ? url + API_PATH : url;
  const headers = { 'api-key': key, authorization: null };
  return { client: openAiClient({ apiKey: key, baseURL, defaultHeaders: headers }, guard), isOfOpenAi: true };
}
