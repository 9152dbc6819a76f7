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

/** Speaks the public wire, as any client would. Bodies that are not JSON come back as `{ text }`. */
export class Client {
  constructor(
    private readonly url: string,
    readonly project: { readonly org_id: string; readonly project_id: string },
    private readonly options: ClientOptions = {},
  ) {}

  async post(path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const { prefix = '/api/v2', headers: always } = this.options;
    const response = await fetch(`${this.url}${prefix}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...always, ...headers },
      body: JSON.stringify({ ...this.project, ...body }),
      signal: AbortSignal.timeout(20_000),
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
      signal: AbortSignal.timeout(20_000),
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

  /** @returns the uids, in order */
  async add(contents: readonly string[], message: object = {}): Promise<string[]> {
    const messages = contents.map((content) => ({ content, ...message }));
    const body = await this.expect(200, '/memories', { messages });
    return (body['results'] as { uid: string }[]).map(({ uid }) => uid);
  }

  async search(query: string, options: object = {}): Promise<Found> {
    const body = await this.expect(200, '/memories/search', { query, types: ['episodic'], ...options });
    const { episodic_memory: memory } = body['content'] as {
      episodic_memory: {
        long_term_memory: { episodes: WireEpisode[] };
        short_term_memory: { episodes: WireEpisode[] };
      };
    };
    return { longTerm: memory.long_term_memory.episodes, shortTerm: memory.short_term_memory.episodes };
  }

  async list(options: object = {}): Promise<WireEpisode[]> {
    const body = await this.expect(200, '/memories/list', { type: 'episodic', ...options });
    return (body['content'] as { episodic_memory: WireEpisode[] }).episodic_memory;
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
    return (await this.expect(200, '/projects/episode_count/get', {}))['count'] as number;
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
