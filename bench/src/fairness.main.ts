import 'reflect-metadata';
import { Loci } from '@loci/testing';
import { Agent, request } from 'node:http';
import { BUSY, type Flood, FLOODS, FURNISHED, FURNISHED_EPISODES, furniture } from './floods.js';
import { fillProject } from './searched-project.js';

/**
 * `npm run bench:fairness`: how long small searches of one organization take, alone and while 40 clients of another one send
 * what costs most, of each kind. Environment: BENCH_SECONDS of each measurement (default 10), BENCH_FLOODS: a part of the
 * names of those to send (default all).
 */
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 10);
const CHOSEN = process.env['BENCH_FLOODS'] ?? '';
const CLIENTS = 40;
const EPISODES = 1_200;

const QUIET = { org_id: 'quiet', project_id: 'p' };
const SMALL: Flood = {
  name: 'small',
  path: '/api/v2/memories/search',
  body: { ...QUIET, query: 'Which guest spoke of the doctor?', top_k: 10 },
};

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** @param from the address that it comes from: each address has a share of its own */
function send(url: string, { path, body }: Flood, agent: Agent, from: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}${path}`,
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
  const refused: number[] = [];
  while (performance.now() < endMs) {
    const begunMs = performance.now();
    const status = await send(url, SMALL, agent, '127.0.0.2');
    if (status !== 200) refused.push(status);
    times.push(performance.now() - begunMs);
  }
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number): string => (times[Math.floor(times.length * share)] ?? NaN).toFixed(0);
  return `${times.length} searches, p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, p99 ${at(0.99)} ms, ${refused.length} refused ${refused.join(' ')}`;
}

async function burden(url: string, flood: Flood, load: Load, answers: Map<number, number>): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  while (!load.ended) {
    const status = await send(url, flood, agent, '127.0.0.3');
    answers.set(status, (answers.get(status) ?? 0) + 1);
  }
  agent.destroy();
}

async function measureBeside(url: string, flood: Flood): Promise<void> {
  const load = { ended: false };
  const answers = new Map<number, number>();
  const clients = Array.from({ length: CLIENTS }, () => burden(url, flood, load, answers));
  say(`beside ${flood.name}: ${await measure(url)}`);
  load.ended = true;
  await Promise.all(clients);
  const counts = [...answers].map(([status, count]) => `${count} × ${status}`).join(', ');
  say(`  the flood was answered: ${counts}`);
}

const loci = await Loci.start({ sweeps: 'as delivered', env: { WORKER_NICENESS: '0' } });
try {
  say('storing episodes ...');
  await fillProject(loci, BUSY, EPISODES);
  await fillProject(loci, QUIET, EPISODES);
  await fillProject(loci, FURNISHED, FURNISHED_EPISODES, furniture);
  say(`alone: ${await measure(loci.url)}`);
  for (const flood of FLOODS.filter(({ name }) => name.includes(CHOSEN)))
    await measureBeside(loci.url, flood);
  say(`alone: ${await measure(loci.url)}`);
} finally {
  await loci.destroy();
}
