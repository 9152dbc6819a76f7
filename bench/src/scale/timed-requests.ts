import { quantile } from '../retrieval/metrics.js';

export interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time per request; undefined when it cannot be told. */
  readonly processorMs: number | undefined;
}

/**
 * Sends requests one after the other.
 * @param processorMs what the processes that answer took so far
 * @throws Error when a request is not answered with success
 */
export async function timeRequests(
  url: string,
  bodies: readonly object[],
  processorMs: () => Promise<number | undefined>,
): Promise<Latency> {
  const tookMs: number[] = [];
  const beforeMs = await processorMs();
  for (const body of bodies) {
    const begunMs = performance.now();
    await request('POST', url, body);
    tookMs.push(performance.now() - begunMs);
  }
  const afterMs = await processorMs();
  const isKnown = beforeMs !== undefined && afterMs !== undefined;
  return {
    p50Ms: quantile(tookMs, 0.5),
    p99Ms: quantile(tookMs, 0.99),
    processorMs: isKnown ? (afterMs - beforeMs) / bodies.length : undefined,
  };
}

/** Sends one request and reads its answer. @throws Error when it is not answered with success */
export async function request(
  method: string,
  url: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const answer = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text}`);
}

/** Calls `send` for each number below `count`, so many at a time. */
export async function atATime(
  lanes: number,
  count: number,
  send: (n: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await send(next++);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
