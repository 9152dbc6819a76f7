import 'reflect-metadata';
import { Loci } from '@loci/testing';
import { Agent, request } from 'node:http';
import { fillProject, settled } from './searched-project.js';

/**
 * `npm run bench:fairness`: how long small searches of one organization take, alone and while 40 clients of another one send
 * the largest that there are. Environment: BENCH_SECONDS of each measurement (default 10).
 */
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 10);
const LARGE_CLIENTS = 40;
const EPISODES = 1_200;

const QUIET = { org_id: 'quiet', project_id: 'p' };
const BUSY = { org_id: 'busy', project_id: 'p' };
const WORDS = 'Which guest spoke of the doctor, the school and the river in the garden? ';
/** 17 kB of query, the most hits, their neighbours, and what each score is made of. */
const LARGE = { ...BUSY, query: WORDS.repeat(235), top_k: 1_000, expand_context: 50, explain: true };
const SMALL = { ...QUIET, query: 'Which guest spoke of the doctor?', top_k: 10 };

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** @param from the address that it comes from: each address has a share of its own */
function search(url: string, body: object, agent: Agent, from: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}/api/v2/memories/search`,
      { method: 'POST', agent, localAddress: from, headers: { 'content-type': 'application/json' } },
      (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
      },
    );
    sent.on('error', reject).end(JSON.stringify(body));
  });
}

interface Load {
  readonly ended: boolean;
}

async function measure(url: string): Promise<string> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  const endMs = performance.now() + SECONDS * 1_000;
  let failed = 0;
  while (performance.now() < endMs) {
    const begunMs = performance.now();
    if ((await search(url, SMALL, agent, '127.0.0.2')) !== 200) failed += 1;
    times.push(performance.now() - begunMs);
  }
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number): string => (times[Math.floor(times.length * share)] ?? NaN).toFixed(0);
  return `${times.length} searches, p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, p99 ${at(0.99)} ms, ${failed} refused`;
}

async function burden(url: string, load: Load, answers: Map<number, number>): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  while (!load.ended) {
    const status = await search(url, LARGE, agent, '127.0.0.3');
    answers.set(status, (answers.get(status) ?? 0) + 1);
  }
  agent.destroy();
}

const loci = await Loci.start({ sweeps: 'as delivered', env: { WORKER_NICENESS: '0' } });
try {
  say(`storing ${EPISODES} episodes in each of two organizations ...`);
  await fillProject(loci, BUSY, EPISODES);
  await fillProject(loci, QUIET, EPISODES);
  await settled(loci);
  say(`alone:   ${await measure(loci.url)}`);
  const load = { ended: false };
  const answers = new Map<number, number>();
  const clients = Array.from({ length: LARGE_CLIENTS }, () => burden(loci.url, load, answers));
  say(`beside:  ${await measure(loci.url)}`);
  load.ended = true;
  await Promise.all(clients);
  const counts = [...answers].map(([status, count]) => `${count} × ${status}`).join(', ');
  say(`the large ones were answered: ${counts}`);
} finally {
  await loci.destroy();
}
