import { Ollama } from 'ollama/browser';
import { Headers } from 'undici';
import { checkedFetch } from '../calls/checked-fetch.js';
import { type EgressGuard } from '../egress/egress-guard.js';
import { type OllamaServer } from './ollama-settings.js';

/**
 * The official client, on guarded connections, for one call: it has no other way to end one. The build for browsers is the
 * same without what reads files.
 */
export const ollamaClient = (
  { base_url: host, api_key: key }: OllamaServer,
  guard: Pick<EgressGuard, 'fetch'>,
  signal: AbortSignal,
): Ollama => {
  const fetch = checkedFetch(guard);
  const guarded: typeof fetch = (url, init) => {
    // by itself the client sends OLLAMA_API_KEY of the process to ollama.com
    const headers = new Headers(init?.headers);
    headers.delete('authorization');
    if (key) headers.set('authorization', `Bearer ${key}`);
    return fetch(url, { ...init, signal, headers });
  };
  // the types of undici and of Node's own fetch differ in name only
  return new Ollama({ host, fetch: guarded as unknown as typeof globalThis.fetch });
};

/** How long the server keeps the model in memory, as it takes it. */
export const keepAlive = ({ keep_alive_minutes: minutes }: OllamaServer): { readonly keep_alive?: string } =>
  minutes === undefined ? {} : { keep_alive: `${Math.round(minutes * 60)}s` };
