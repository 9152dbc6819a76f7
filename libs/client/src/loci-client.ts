import createFetchClient, { type Client } from 'openapi-fetch';
import { type paths } from './api.generated.js';
import { LociError, refusalOf } from './errors.js';
import { retrying, type Send } from './transport/retrying.js';

export interface LociClientOptions {
  /** Where Loci is, without a prefix: `http://127.0.0.1:8080`. */
  readonly url: string;
  /** An API key or a JWT; sent as a bearer token. */
  readonly apiKey?: string | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds that one attempt may take; default 30000. */
  readonly timeoutMs?: number | undefined;
  /** Attempts after the first, of what failed on the way or met a refusal that passes (429, 503 and their like); default 3. */
  readonly maxRetries?: number | undefined;
  /** Milliseconds to wait between attempts at most: a refusal that asks for more is thrown; default 60000. */
  readonly maxWaitMs?: number | undefined;
  /** Instead of the global `fetch`. */
  readonly fetch?: Send | undefined;
}

/** Every operation of the API, by method and path, with the types of the document. Answers are `{ data, error, response }`. */
export type LociClient = Client<paths>;

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_RETRIES = 3;
const DEFAULT_MAX_WAIT_MS = 60_000;

/**
 * A client of the public API as it is. `Loci` is the one for applications.
 * @example
 * const api = createLociClient({ url: 'http://127.0.0.1:8080' });
 * const { data, error } = await api.POST('/api/v2/memories/search', { body: { query: 'Where does Alice sit?' } });
 * @throws TypeError for a `url` that is none
 */
export function createLociClient({
  url,
  apiKey,
  headers,
  timeoutMs = DEFAULT_TIMEOUT_MS,
  maxRetries = DEFAULT_RETRIES,
  maxWaitMs = DEFAULT_MAX_WAIT_MS,
  fetch: send = (request) => globalThis.fetch(request),
}: LociClientOptions): LociClient {
  if (!/^https?:\/\//.test(url)) throw new TypeError(`${url} is no URL like http://127.0.0.1:8080.`);
  return createFetchClient<paths>({
    baseUrl: url.replace(/\/+$/, ''),
    headers: { ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }), ...headers },
    fetch: retrying(send, { timeoutMs, maxRetries, maxWaitMs }),
  });
}

/** What a call of the generated client gives. */
export interface Outcome<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/**
 * What an operation answered.
 * @example const { results } = await answered(api.POST('/api/v2/memories', { body: { messages } }));
 * @throws LociError when Loci refused, or was not reached
 */
export const answered = async <Data>(outcome: Promise<Outcome<Data>>): Promise<Data> =>
  (await withHeaders(outcome)).data;

/** The same with the headers of the answer. */
export async function withHeaders<Data>(
  outcome: Promise<Outcome<Data>>,
): Promise<{ readonly data: Data; readonly headers: Headers }> {
  const { data, error, response } = await outcome.catch(refuseUnreadable);
  if (!response.ok) throw refusalOf(error, response);
  if (data === null) throw unreadable('null');
  return { data: data as Data, headers: response.headers };
}

function refuseUnreadable(cause: unknown): never {
  throw cause instanceof SyntaxError ? unreadable(cause.message, cause) : cause;
}

const unreadable = (what: string, cause?: unknown): LociError =>
  new LociError(0, 'unexpected_answer', `What was answered is no JSON of Loci: ${what}. Is Loci there?`, {
    cause,
  });
