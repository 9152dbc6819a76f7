import { Agent, request } from 'node:http';
import { type Flood } from './floods.js';

/** @param from the address that it comes from: each address has a share of its own */
export function send(
  url: string,
  { path, body }: Flood,
  agent: Agent,
  from: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}${path}`,
      {
        method: 'POST',
        agent,
        localAddress: from,
        headers: { 'content-type': 'application/json', ...headers },
      },
      (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
      },
    );
    sent.on('error', reject).end(JSON.stringify(body));
  });
}

export interface Times {
  /** In milliseconds, the shortest first. */
  readonly times: readonly number[];
  /** The statuses other than 200. */
  readonly refused: readonly number[];
}

/** Sends one search after the other for so long. */
export async function timesOf(search: (agent: Agent) => Promise<number>, seconds: number): Promise<Times> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  const refused: number[] = [];
  const endMs = performance.now() + seconds * 1_000;
  while (performance.now() < endMs) {
    const begunMs = performance.now();
    const status = await search(agent);
    if (status !== 200) refused.push(status);
    times.push(performance.now() - begunMs);
  }
  agent.destroy();
  return { times: times.sort((a, b) => a - b), refused };
}

/** The time that a share of them took no longer than, in milliseconds. */
export const quantile = (times: readonly number[], share: number): number =>
  times[Math.floor(times.length * share)] ?? NaN;

export function inMs(times: readonly number[]): string {
  const [p50, p90, p99] = [0.5, 0.9, 0.99].map((share) => quantile(times, share).toFixed(0));
  return `${times.length} searches, p50 ${p50} ms, p90 ${p90} ms, p99 ${p99} ms`;
}
