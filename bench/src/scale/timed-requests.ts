import { quantile } from '../retrieval/metrics.js';

export interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Sends requests one after the other. @throws Error when one is not answered with success */
export async function timeRequests(url: string, bodies: readonly object[]): Promise<Latency> {
  const tookMs: number[] = [];
  for (const body of bodies) {
    const begunMs = performance.now();
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    await answer.text();
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
    tookMs.push(performance.now() - begunMs);
  }
  return { p50Ms: quantile(tookMs, 0.5), p99Ms: quantile(tookMs, 0.99) };
}
