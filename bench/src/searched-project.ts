import { eventually, type Loci } from '@loci/testing';

const WORDS = 'tea parcel office garden train invoice holiday music doctor kitchen school river market'.split(
  ' ',
);

const BATCH = 200;
/** Of messages with metadata, which may be large. */
const SMALL_BATCH = 20;

export interface FillOptions {
  /** Of each; none when absent. */
  readonly metadata?: () => Record<string, string>;
  /** Of the requests. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Stores episodes in the project and waits until all of them have their vectors. */
export async function fillProject(
  loci: Loci,
  project: object,
  episodes: number,
  { metadata, headers }: FillOptions = {},
): Promise<void> {
  const batch = metadata ? SMALL_BATCH : BATCH;
  for (let first = 0; first < episodes; first += batch) {
    const messages = Array.from({ length: batch }, (_, index) => ({
      content: sentence(first + index),
      ...(metadata && { metadata: metadata() }),
    }));
    const answer = await fetch(`${loci.url}/api/v2/memories`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ ...project, types: ['episodic'], messages }),
    });
    if (!answer.ok) throw new Error(`adding answered ${answer.status}: ${await answer.text()}`);
  }
  await settled(loci);
}

/** Waits until the index worker has caught up, so that it does not take part in the next measurement. */
export async function settled(loci: Loci): Promise<void> {
  await eventually(async () => /^loci_episodes_waiting(\{.*\})? 0$/m.test(await workerMetrics(loci)), {
    what: 'all episodes have their vectors',
    timeoutMs: 600_000,
  });
}

async function workerMetrics(loci: Loci): Promise<string> {
  const { ports } = await loci.process('episodic-worker');
  return (await fetch(`http://127.0.0.1:${String(Object.values(ports)[0])}/metrics`)).text();
}

function sentence(n: number): string {
  const [first, second] = [WORDS[n % WORDS.length], WORDS[(n * 7 + 3) % WORDS.length]];
  return `Note ${n}: the ${String(first)} and the ${String(second)} were mentioned by guest ${n % 50}.`;
}
