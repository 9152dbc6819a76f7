import OpenAI from 'openai';
import { Headers, type RequestInit } from 'undici';
import { type EgressGuard } from '../egress/egress-guard.js';
import { type OpenAiServer } from './openai-settings.js';

/** Servers of one's own often want no key, but the SDK does. */
const NO_KEY = 'EMPTY';

/** What the SDK may send of headers: it would add those that OPENAI_CUSTOM_HEADERS of the process has. */
const OWN_HEADERS = /^(?:accept|content-type|user-agent|authorization|api-key|x-stainless-.*)$/i;

/** A server that speaks the protocol of OpenAI. */
export interface OpenAiEndpoint {
  readonly client: OpenAI;
  /** Whether it is run by OpenAI, or Azure for it: others often know no newer parameters. */
  readonly isOfOpenAi: boolean;
}

export function openAiEndpoint(server: OpenAiServer, guard: EgressGuard): OpenAiEndpoint {
  const { base_url: baseURL = 'https://api.openai.com/v1', api_key: key } = server;
  const client = openAiClient({ apiKey: key === '' ? NO_KEY : key, baseURL }, guard);
  return { client, isOfOpenAi: new URL(baseURL).hostname === 'api.openai.com' };
}

/** The official client, on guarded connections; timeouts and retries are not its business. */
export const openAiClient = (
  server: Pick<ConstructorParameters<typeof OpenAI>[0] & object, 'apiKey' | 'baseURL' | 'defaultHeaders'>,
  guard: EgressGuard,
): OpenAI =>
  new OpenAI({
    ...server,
    // what the process happens to have in its environment is not ours to send
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    logLevel: 'off',
    // the types of undici and of Node's own fetch differ in name only
    fetch: ((url: string, init: RequestInit) =>
      guard.fetch(url, { ...init, headers: ownHeaders(init.headers) })) as unknown as typeof fetch,
  });

const ownHeaders = (headers: RequestInit['headers']): Record<string, string> =>
  Object.fromEntries([...new Headers(headers)].filter(([name]) => OWN_HEADERS.test(name)));
