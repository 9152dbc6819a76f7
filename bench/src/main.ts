import 'reflect-metadata';
import { startServers } from '@loci/runtime';
import { Loci } from '@loci/testing';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type BareProgram, startBareProgram } from './bare-program.js';
import { compare, type Measurement, type Target } from './load.js';
import { type Row, table } from './report.js';
import { fillProject, settled } from './searched-project.js';
import { processorTable, SEARCHED, searchTargets } from './searches.js';

/**
 * `npm run bench`: adds and searches per second of the product as it is delivered, beside baselines in the same run and on
 * the same servers: a Fastify that answers a constant, and a bare Fastify program that makes the same insert, or a search
 * without ranking; and what a search takes of the processors. Environment: BENCH_SECONDS of one measurement (default 5), BENCH_ROUNDS
 * (default 3, the median counts), BENCH_PART `searches` or `adds` for one of them alone.
 */
const CLIENTS = [1, 16, 64];
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 5);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const PART = process.env['BENCH_PART'];
const SEARCHED_EPISODES = 1_000;

const SENTENCE =
  'The customer asked whether the parcel that was sent last Tuesday could still be redirected to the office in Hamburg.';
const ADD = {
  org_id: 'bench',
  project_id: 'adds',
  messages: [
    { content: SENTENCE, producer: 'alice', role: 'user', metadata: { channel: 'support', ticket: '4711' } },
  ],
};

const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function measureAdds(loci: Loci, bare: BareProgram): Promise<Row[]> {
  const targets = [
    { name: 'constant', url: `${bare.url}/constant`, body: () => ADD },
    { name: 'bare insert', url: `${bare.url}/insert`, body: () => ADD },
    { name: 'Loci add', url: `${loci.url}/api/v2/memories`, body: () => ADD },
  ];
  return measure(loci, targets, 'adds');
}

async function searchTables(): Promise<string[]> {
  say(`storing ${SEARCHED_EPISODES} episodes to search in ...`);
  await fillProject(loci, SEARCHED, SEARCHED_EPISODES);
  const projectUid = await uidOfSearched(postgres.databaseUrl);
  const searches = await measure(loci, searchTargets(loci, bare, projectUid), 'searches');
  say('measuring what a search takes of the processors ...');
  const postgresPid = postgres.processes['postgres']?.pid ?? 0;
  return [table(searches), await processorTable(loci, bare, { postgresPid, projectUid, seconds: SECONDS })];
}

async function measure(loci: Loci, targets: readonly Target[], what: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const clients of CLIENTS) {
    say(`measuring ${what} with ${clients} clients ...`);
    const measured = await compare(targets, {
      clients,
      seconds: SECONDS,
      rounds: ROUNDS,
      settle: () => settled(loci),
    });
    rows.push(...withRatios(clients, targets, measured));
  }
  return rows;
}

async function uidOfSearched(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ uid: string }>(
      'SELECT uid FROM episodic.projects WHERE org_id = $1 AND project_id = $2',
      [SEARCHED.org_id, SEARCHED.project_id],
    );
    return rows[0]?.uid ?? '';
  } finally {
    await client.end();
  }
}

/** The last target is the product; the others are baselines. */
function withRatios(clients: number, targets: readonly Target[], measured: readonly Measurement[]): Row[] {
  const named = measured.map((measurement, index) => ({ name: targets[index]?.name ?? '', ...measurement }));
  const baselines = named.slice(0, -1);
  return named.map((row) => ({
    ...row,
    clients,
    ratios: Object.fromEntries(
      baselines.map(({ name, requestsPerSecond }) => [name, row.requestsPerSecond / requestsPerSecond]),
    ),
  }));
}

const dataDir = await mkdtemp(join(tmpdir(), 'loci-bench-'));
const postgres = await startServers({ dataDir, durability: 'durable', only: ['postgres'] });
const loci = await Loci.start({ env: { DATABASE_URL: postgres.databaseUrl }, sweeps: 'as delivered' });
const bare = await startBareProgram({ databaseUrl: postgres.databaseUrl, qdrant: await loci.qdrant() });
try {
  const tables: string[] = [];
  if (PART !== 'adds') tables.push(...(await searchTables()));
  if (PART !== 'searches') tables.unshift(table(await measureAdds(loci, bare)));
  say(`\n${tables.join('\n\n')}`);
} finally {
  await loci.destroy();
  await bare.stop();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
