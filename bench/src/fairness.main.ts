import 'reflect-metadata';
import { Loci } from '@loci/testing';
import { Agent } from 'node:http';
import { BUSY, type Flood, FLOODS, FURNISHED, FURNISHED_EPISODES, furniture } from './floods.js';
import { besideStrangers } from './beside-strangers.js';
import { fillProject } from './searched-project.js';
import { inMs, send, timesOf } from './small-searches.js';

/**
 * `npm run bench:fairness`: how long small searches of one organization take, alone and while 40 clients of another one send
 * what costs most, of each kind; and while 100 clients without a valid key send theirs. Environment: BENCH_SECONDS of each
 * measurement (default 10), BENCH_FLOODS: a part of the names of those to send (default all; `unknown` for those without a
 * valid key alone).
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

interface Load {
  readonly ended: boolean;
}

async function measure(url: string): Promise<string> {
  const { times, refused } = await timesOf((agent) => send(url, SMALL, agent, '127.0.0.2'), SECONDS);
  return `${inMs(times)}, ${refused.length} refused ${refused.join(' ')}`;
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

async function besideOtherOrganization(floods: readonly Flood[]): Promise<void> {
  const loci = await Loci.start({ sweeps: 'as delivered', env: { WORKER_NICENESS: '0' } });
  try {
    say('storing episodes ...');
    await fillProject(loci, BUSY, EPISODES);
    await fillProject(loci, QUIET, EPISODES);
    await fillProject(loci, FURNISHED, FURNISHED_EPISODES, { metadata: furniture });
    say(`alone: ${await measure(loci.url)}`);
    for (const flood of floods) await measureBeside(loci.url, flood);
    say(`alone: ${await measure(loci.url)}`);
  } finally {
    await loci.destroy();
  }
}

const chosen = FLOODS.filter(({ name }) => name.includes(CHOSEN));
if (chosen.length > 0) await besideOtherOrganization(chosen);
if ('unknown keys'.includes(CHOSEN))
  await besideStrangers({ small: SMALL, project: QUIET, seconds: SECONDS, episodes: EPISODES, say });
