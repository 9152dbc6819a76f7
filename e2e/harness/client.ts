import { answered, createLociClient, type LociClient } from '@loci/client';

/** A JSON object or array as it came over the wire. */
export type Json = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

export interface WireEpisode {
  readonly uid: string;
  readonly content: string;
  readonly created_at: string;
  readonly score?: number;
}

export interface Found {
  readonly longTerm: readonly WireEpisode[];
  readonly shortTerm: readonly WireEpisode[];
}

export interface ClientOptions {
  /** Default `/api/v2`. */
  readonly prefix?: '/api/v2' | '/v2';
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Longer than a gateway works on a request and has it wait for its turn, on a busy machine, too. */
export const TIMEOUT_MS = 60_000;

/**
 * Speaks the public wire, as any client would: by the published client where the request is well-formed, and freely where
 * it need not be. Bodies that are not JSON come back as `{ text }`.
 */
export class Client {
  private readonly api: LociClient;

  constructor(
    private readonly url: string,
    readonly project: { readonly org_id: string; readonly project_id: string },
    private readonly options: ClientOptions = {},
  ) {
    const { headers } = options;
    this.api = createLociClient({ url, timeoutMs: TIMEOUT_MS, maxRetries: 0, headers });
  }

  /** The path of an operation: both prefixes take the same. */
  private path<Operation extends string>(operation: Operation): `/api/v2/${Operation}` {
    const { prefix = '/api/v2' } = this.options;
    return `${prefix}/${operation}` as `/api/v2/${Operation}`;
  }

  async post(path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const { prefix = '/api/v2', headers: always } = this.options;
    const response = await fetch(`${this.url}${prefix}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...always, ...headers },
      body: JSON.stringify({ ...this.project, ...body }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: response.status, headers: response.headers, body: parse(await response.text()) };
  }

  /** A request that names its project in the query. */
  async ask(
    method: 'GET' | 'DELETE',
    path: string,
    query: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const { prefix = '/api/v2', headers: always } = this.options;
    const search = new URLSearchParams({ ...this.project, ...query }).toString();
    const response = await fetch(`${this.url}${prefix}${path}?${search}`, {
      method,
      headers: { ...always, ...headers },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: response.status, headers: response.headers, body: parse(await response.text()) };
  }

  /** Reads lines of an export into the project. */
  async import(lines: readonly object[]): Promise<Answer> {
    const { prefix = '/api/v2', headers } = this.options;
    const search = new URLSearchParams(this.project).toString();
    const response = await fetch(`${this.url}${prefix}/projects/import?${search}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson', ...headers },
      body: lines.map((line) => JSON.stringify(line)).join('\n'),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: response.status, headers: response.headers, body: parse(await response.text()) };
  }

  /** @throws Error when the answer is not the expected status */
  async expect(
    status: number,
    path: string,
    body: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Json> {
    const answer = await this.post(path, body, headers);
    if (answer.status !== status) {
      throw new Error(`${path} answered ${answer.status}, not ${status}: ${JSON.stringify(answer.body)}`);
    }
    return answer.body;
  }

  /** @returns the uids, in order @throws LociError */
  async add(contents: readonly string[], message: object = {}): Promise<string[]> {
    const messages = contents.map((content) => ({ content, ...message }));
    const body = { ...this.project, messages };
    const { results } = await answered(this.api.POST(this.path('memories'), { body }));
    return results.map(({ uid }) => uid);
  }

  /** @throws LociError */
  async search(query: string, options: object = {}): Promise<Found> {
    const types = ['episodic' as const];
    const body = { ...this.project, query, types, ...options };
    const { content } = await answered(this.api.POST(this.path('memories/search'), { body }));
    const memory = content.episodic_memory;
    if (!memory) throw new Error('Episodic memory is switched off, or was not asked for.');
    return { longTerm: memory.long_term_memory.episodes, shortTerm: memory.short_term_memory.episodes };
  }

  /** @throws LociError */
  async list(options: object = {}): Promise<readonly WireEpisode[]> {
    const body = { ...this.project, type: 'episodic' as const, ...options };
    const { content } = await answered(this.api.POST(this.path('memories/list'), { body }));
    return content.episodic_memory ?? [];
  }

  /** Every episode of the project, page by page. */
  async listAll(): Promise<WireEpisode[]> {
    const all: WireEpisode[] = [];
    for (let page_num = 0; ; page_num += 1) {
      const page = await this.list({ page_size: 500, page_num });
      all.push(...page);
      if (page.length < 500) return all;
    }
  }

  async count(): Promise<number> {
    const body = this.project;
    const { count } = await answered(this.api.POST(this.path('projects/episode_count/get'), { body }));
    return count;
  }

  /** Searches then answer from long-term memory alone. */
  async disableShortTerm(): Promise<void> {
    await this.expect(204, '/memory/episodic/short_term/config', { enabled: false });
  }
}

export function parse(text: string): Json {
  try {
    return text === '' ? {} : (JSON.parse(text) as Json);
  } catch {
    return { text };
  }
}
