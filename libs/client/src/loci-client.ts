import createFetchClient, { type Client } from 'openapi-fetch';
import { type paths } from './api.generated.js';

export interface LociClientOptions {
  /** Where Loci is, without a prefix: `http://127.0.0.1:8080`. */
  readonly url: string;
  /** An API key or a JWT; sent as a bearer token. */
  readonly token?: string | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds that a request may take; default 30000. */
  readonly timeoutMs?: number | undefined;
  /** Instead of the global `fetch`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** Every operation of the API, by method and path, with the types of the document. Answers are `{ data, error, response }`. */
export type LociClient = Client<paths>;

const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * A client of the public API.
 * @example
 * const loci = createLociClient({ url: 'http://127.0.0.1:8080' });
 * const { data, error } = await loci.POST('/api/v2/memories/search', { body: { query: 'Where does Alice sit?' } });
 */
export function createLociClient({
  url,
  token,
  headers,
  timeoutMs = DEFAULT_TIMEOUT_MS,
  fetch: send = globalThis.fetch,
}: LociClientOptions): LociClient {
  return createFetchClient<paths>({
    baseUrl: url,
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
    fetch: (request) =>
      send(
        new Request(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]) }),
      ),
  });
}

/** A refusal of Loci. `code` is a stable slug; of an invalid request it is `invalid_request`, and `problems` has them all. */
export class LociError extends Error {
  override readonly name = 'LociError';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly problems: readonly Problem[] = [],
    /** Seconds until trying again makes sense. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }
}

export interface Problem {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

interface Outcome<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/**
 * What an operation answered.
 * @example const { results } = await answered(loci.POST('/api/v2/memories', { body: { messages } }));
 * @throws LociError when Loci refused
 */
export async function answered<Data>(outcome: Promise<Outcome<Data>>): Promise<Data> {
  const { data, error, response } = await outcome;
  if (response.ok) return data as Data;
  throw toLociError(error, response);
}

function toLociError(body: unknown, { status, headers }: Response): LociError {
  const { detail, code } = isRefusal(body) ? body : { detail: `Status ${status}`, code: 'unknown' };
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const retryAfter = Number.isNaN(seconds) ? undefined : seconds;
  if (typeof detail === 'string') return new LociError(status, code ?? 'unknown', detail, [], retryAfter);
  const message = detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
  return new LociError(status, 'invalid_request', message, detail, retryAfter);
}

const isRefusal = (body: unknown): body is { detail: string | Problem[]; code?: string } =>
  typeof body === 'object' && body !== null && 'detail' in body;
