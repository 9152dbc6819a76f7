import OpenAI from 'openai';
import { type EgressGuard } from '../egress/egress-guard.js';
import { type OpenAiServer } from './openai-settings.js';

/** Servers of one's own often want no key, but the SDK does. */
const NO_KEY = 'EMPTY';

/** The official client, on guarded connections; timeouts and retries are not its business. */
export const openAiClient = (
  { api_key: apiKey, base_url: baseURL }: OpenAiServer,
  guard: EgressGuard,
): OpenAI =>
  new OpenAI({
    apiKey: apiKey === '' ? NO_KEY : apiKey,
    baseURL: baseURL ?? 'https://api.openai.com/v1',
    // what the process happens to have in its environment is not ours to send
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    logLevel: 'off',
    // the types of undici and of Node's own fetch differ in name only
    fetch: guard.fetch as unknown as typeof fetch,
  });
