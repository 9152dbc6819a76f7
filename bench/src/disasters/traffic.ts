import { setTimeout as pause } from 'node:timers/promises';

const PROJECT = { org_id: 'drill', project_id: 'main' };
const BATCH = 100;

async function post(url: string, path: string, body: object): Promise<Response> {
  return fetch(`${url}/api/v2${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** No two messages have the same text. */
export const textOf = (n: number): string =>
  `Note ${n}: the ${n % 2 === 0 ? 'parcel' : 'garden'} of guest ${n % 50}.`;

/** Adds so many messages, from the n-th on. @throws Error when one is not acknowledged */
export async function fill(url: string, count: number, from = 0): Promise<void> {
  const end = from + count;
  for (let first = from; first < end; first += BATCH) {
    const size = Math.min(BATCH, end - first);
    const messages = Array.from({ length: size }, (_, n) => ({ content: textOf(first + n) }));
    const answer = await post(url, '/memories', { ...PROJECT, messages });
    if (!answer.ok) throw new Error(`An add was answered ${answer.status}: ${await answer.text()}`);
  }
}

/** The best texts that a search finds in long-term memory, and what it says is missing. */
export async function find(
  url: string,
  query: string,
  topK = 10,
): Promise<{ texts: string[]; missing: string | null }> {
  const asked = { ...PROJECT, query, top_k: topK, rank_short_term: true, types: ['episodic'] };
  const answer = await post(url, '/memories/search', asked);
  if (!answer.ok) throw new Error(`A search was answered ${answer.status}: ${await answer.text()}`);
  const { content } = (await answer.json()) as {
    content: { episodic_memory: { long_term_memory: { episodes: { content: string }[] } } };
  };
  const { episodes } = content.episodic_memory.long_term_memory;
  return { texts: episodes.map((episode) => episode.content), missing: answer.headers.get('x-degraded') };
}

/** Clients that add and search without a pause until they are told to stop. */
export class Traffic {
  /** How many there were of each status; of a failure with its code. */
  readonly answers = new Map<string, number>();
  readonly tookMs: number[] = [];
  private isOver = false;
  private readonly running: Promise<unknown>;

  constructor(url: () => string, clients: number, projects = 1) {
    this.running = Promise.all(
      Array.from({ length: clients }, (_, client) => this.run(url, client, projects)),
    );
  }

  /** Answers that were no success. */
  get failures(): number {
    return [...this.answers]
      .filter(([status]) => status !== '200')
      .reduce((sum, [, count]) => sum + count, 0);
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await this.running;
  }

  private async run(url: () => string, client: number, projects: number): Promise<void> {
    for (let turn = 0; !this.isOver; turn += 1) {
      const project = { org_id: `drill-${client % projects}`, project_id: 'main' };
      const isSearch = turn % 4 === 3;
      const body = isSearch ? { query: 'garden' } : { messages: [{ content: textOf(turn) }] };
      const begunMs = performance.now();
      const status = await post(url(), isSearch ? '/memories/search' : '/memories', { ...project, ...body })
        .then(async (answer) => {
          const text = await answer.text();
          return answer.ok ? String(answer.status) : `${answer.status} ${codeIn(text)}`;
        })
        .catch(() => 'no answer');
      this.tookMs.push(performance.now() - begunMs);
      this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
      if (status !== '200') await pause(100);
    }
  }
}

/** The slug of a failure, or how its body begins when that is none of ours. */
const codeIn = (body: string): string => /"code":"([^"]+)"/.exec(body)?.[1] ?? body.slice(0, 40);
