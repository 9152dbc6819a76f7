import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import { Loci, type ProcessName } from '@loci/testing';
import pg from 'pg';
import { measureProcessorTime } from './ingestion/processor-use.js';
import { fillProject } from './searched-project.js';

/**
 * `npm run bench:idle`: what the product takes of the processors while nothing is asked, process by process, as it is
 * delivered and with a project that holds some messages. Environment: BENCH_SECONDS of the measurement (default 60),
 * BENCH_SETTLE_SECONDS before it (default 120: periodic tasks have slowed down by then).
 */
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 60);
const SETTLE_SECONDS = Number(process.env['BENCH_SETTLE_SECONDS'] ?? 120);
const EPISODES = 200;

const PROCESSES: readonly ProcessName[] = [
  'gateway',
  'streams',
  'config-service',
  'episodic-api',
  'episodic-worker',
  'semantic-api',
  'semantic-worker',
  'postgres',
  'nats',
  'qdrant',
];

async function transactions(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: string }>(
      'SELECT sum(xact_commit + xact_rollback) AS count FROM pg_stat_database',
    );
    return Number(rows[0]?.count);
  } finally {
    await client.end();
  }
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const loci = await Loci.start({ sweeps: 'as delivered' });
try {
  await fillProject(loci, { org_id: 'bench', project_id: 'idle' }, EPISODES);
  const databaseUrl = await loci.databaseUrlOf('migrate');
  const roots: Record<string, number> = { 'npm start': loci.pid };
  for (const name of PROCESSES) roots[name] = (await loci.process(name)).pid;
  say(`waiting ${SETTLE_SECONDS} s, then measuring ${SECONDS} s ...`);
  await sleep(SETTLE_SECONDS * 1_000);
  const begun = await transactions(databaseUrl);
  const used = await measureProcessorTime(roots);
  await sleep(SECONDS * 1_000);
  const measured = await used();
  const perSecond = ((await transactions(databaseUrl)) - begun) / SECONDS;
  if (!measured) throw new Error('Only Linux says what processes use.');
  const { byKind, machine } = measured;
  const all = byKind.get('npm start') ?? 0;
  const named = [...byKind].filter(([name]) => name !== 'npm start');
  const rest = named.reduce((left, [, ms]) => left - ms, all);
  const row = (name: string, ms: number): string => `| ${name} | ${(ms / SECONDS / 10).toFixed(2)} |`;
  const rows = [...named, ['the command itself', rest] as const, ['sum', all] as const];
  say(['| process | % of a core |', '| --- | --- |', ...rows.map(([name, ms]) => row(name, ms))].join('\n'));
  say(
    `${perSecond.toFixed(1)} transactions a second; the machine was busy to ${(100 * machine).toFixed(0)} %`,
  );
} finally {
  await loci.destroy();
}
