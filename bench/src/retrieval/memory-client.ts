import { type Conversation, type Question, type Turn } from './dataset.js';

/** Turns of one request. */
const BATCH = 100;

/** What an agent does over HTTP: stores conversations, one project each, and asks. */
export class MemoryClient {
  constructor(private readonly url: string) {}

  /**
   * Makes the project of a conversation, with short-term memory off: it would keep the newest turns away from the
   * long-term hits that are measured.
   */
  async open({ id }: Conversation): Promise<void> {
    await this.post('/api/v2/projects', projectOf(id));
    await this.post('/api/v2/memory/episodic/short_term/config', { ...projectOf(id), enabled: false });
  }

  /** Stores the turns of a conversation. @returns the turn of each uid */
  async store({ id, turns }: Conversation, onStored: (turns: number) => void): Promise<Map<string, string>> {
    const turnOf = new Map<string, string>();
    for (let first = 0; first < turns.length; first += BATCH) {
      const batch = turns.slice(first, first + BATCH);
      const body = { ...projectOf(id), types: ['episodic'], messages: batch.map(messageOf) };
      const { results } = (await this.post('/api/v2/memories', body)) as { results: { uid: string }[] };
      results.forEach(({ uid }, index) => turnOf.set(uid, batch[index]?.id ?? ''));
      onStored(batch.length);
    }
    return turnOf;
  }

  /** @returns uids, best first, and how long the search took in ms */
  async ask(
    conversationId: string,
    { text, askedAt, session }: Question,
    { topK, ...fields }: { readonly topK: number; readonly [field: string]: unknown },
  ): Promise<{ uids: string[]; tookMs: number }> {
    const asked = { query: text, top_k: topK, types: ['episodic'], reference_time: askedAt };
    const begunMs = performance.now();
    const answer = (await this.post('/api/v2/memories/search', {
      ...projectOf(conversationId),
      ...asked,
      ...(session !== undefined && { filter: `metadata.session_id = '${session}'` }),
      ...fields,
    })) as SearchAnswer;
    const tookMs = performance.now() - begunMs;
    return { uids: answer.content.episodic_memory.long_term_memory.episodes.map(({ uid }) => uid), tookMs };
  }

  /** Registers one of the models that run inside the product, under its own name. @throws Error saying why it is not ready */
  async register(model: string): Promise<void> {
    const resource = { name: model, provider: 'local', config: { model } };
    const added = (await this.post('/api/v2/config/resources/embedders', resource)) as ResourceAnswer;
    if (added.status !== 'ready') throw new Error(`${model} is ${added.status}: ${added.error ?? ''}`);
  }

  /** Has the project of a conversation use an embedder. */
  async choose({ id }: Conversation, embedder: string): Promise<void> {
    await this.send('PUT', '/api/v2/projects/config', { ...projectOf(id), embedder });
  }

  /** Whether all episodes of a conversation have their vectors by this embedder. */
  async isIndexedBy({ id }: Conversation, embedder: string): Promise<boolean> {
    const query = new URLSearchParams(projectOf(id)).toString();
    const { state, active } = (await this.send('GET', `/api/v2/projects/index?${query}`)) as IndexAnswer;
    return state === 'ready' && active?.embedder === embedder;
  }

  private post(path: string, body: object): Promise<unknown> {
    return this.send('POST', path, body);
  }

  private async send(method: string, path: string, body?: object): Promise<unknown> {
    const json = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const answer = await fetch(`${this.url}${path}`, { method, ...json });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }
}

interface ResourceAnswer {
  readonly status: string;
  readonly error?: string | null;
}

interface IndexAnswer {
  readonly state: string;
  readonly active: { readonly embedder: string } | null;
}

interface SearchAnswer {
  readonly content: {
    readonly episodic_memory: {
      readonly long_term_memory: { readonly episodes: readonly { uid: string }[] };
    };
  };
}

const projectOf = (conversationId: string): { org_id: string; project_id: string } => ({
  org_id: 'bench-retrieval',
  project_id: conversationId,
});

const messageOf = ({ speaker, role = 'user', text, saidAt, session }: Turn): object => ({
  content: text,
  producer: speaker,
  role,
  timestamp: saidAt,
  ...(session !== undefined && { metadata: { session_id: session } }),
});
