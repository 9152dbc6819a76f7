import { type Conversation, type Question, type Turn } from './dataset.js';

/** Turns of one request. */
const BATCH = 100;

/** What an agent does over HTTP: stores conversations, one project each, and asks. */
export class MemoryClient {
  constructor(private readonly url: string) {}

  /**
   * Stores a conversation in a project of its own, with short-term memory off: it would keep the newest turns away from
   * the long-term hits that are measured.
   * @returns the turn of each uid
   */
  async store({ id, turns }: Conversation, onStored: (turns: number) => void): Promise<Map<string, string>> {
    await this.post('/api/v2/projects', projectOf(id));
    await this.post('/api/v2/memory/episodic/short_term/config', { ...projectOf(id), enabled: false });
    const turnOf = new Map<string, string>();
    for (let first = 0; first < turns.length; first += BATCH) {
      const batch = turns.slice(first, first + BATCH);
      const body = { ...projectOf(id), types: ['episodic'], messages: batch.map(messageOf) };
      const { results } = (await this.post('/api/v2/memories', body)) as { results: { uid: string }[] };
      results.forEach(({ uid }, place) => turnOf.set(uid, batch[place]?.id ?? ''));
      onStored(batch.length);
    }
    return turnOf;
  }

  /** @returns uids, best first, and how long the search took in ms */
  async ask(
    conversationId: string,
    { text, askedAt }: Question,
    { topK, ...fields }: { readonly topK: number; readonly [field: string]: unknown },
  ): Promise<{ uids: string[]; tookMs: number }> {
    const asked = { query: text, top_k: topK, types: ['episodic'], reference_time: askedAt };
    const begunMs = performance.now();
    const answer = (await this.post('/api/v2/memories/search', {
      ...projectOf(conversationId),
      ...asked,
      ...fields,
    })) as SearchAnswer;
    const tookMs = performance.now() - begunMs;
    return { uids: answer.content.episodic_memory.long_term_memory.episodes.map(({ uid }) => uid), tookMs };
  }

  private async post(path: string, body: object): Promise<unknown> {
    const answer = await fetch(`${this.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }
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

const messageOf = ({ speaker, text, saidAt }: Turn): object => ({
  content: text,
  producer: speaker,
  role: 'user',
  timestamp: saidAt,
});
