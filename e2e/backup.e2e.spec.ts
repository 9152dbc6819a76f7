import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, Fleet } from '@loci/testing';
import pg from 'pg';
import { PROCESS_TABLE } from '../apps/standalone/src/process-table.js';
import { Client } from './harness/client.js';

const run = promisify(execFile);
const PROJECT = { org_id: 'acme', project_id: 'archive' };

let folder: string;
const running: Fleet[] = [];

const tool = (name: 'backup' | 'restore', databaseUrl: string, path: string): Promise<{ stdout: string }> =>
  run(process.execPath, [`tools/backup/${name}.mjs`, path], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
  });

async function start(restored?: string): Promise<Fleet> {
  const fleet = await Fleet.start({
    table: PROCESS_TABLE,
    replicas: () => 1,
    env: { SWEEP_INTERVAL_MS: '250', SWEEP_PATIENCE_MS: '1000', RECONCILE_CHECK_INTERVAL_MS: '500' },
    ...(restored && {
      beforeServices: async (ownerUrl) => {
        await tool('restore', ownerUrl, restored);
      },
    }),
  });
  running.push(fleet);
  return fleet;
}

/** The rows of every table of the services, by the owner of the database, past row security; queues and counters change by themselves. */
async function rowCounts({ servers }: Fleet): Promise<Record<string, number>> {
  const client = new pg.Client({ connectionString: servers.databaseUrl, options: '-c loci.scope=*' });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT table_schema || '.' || table_name AS name FROM information_schema.tables
       WHERE table_schema IN ('config', 'episodic', 'semantic') AND table_type = 'BASE TABLE' ORDER BY name`,
    );
    const counts: Record<string, number> = {};
    for (const { name } of tables.filter((table) => !CHANGING.test(table.name))) {
      const { rows } = await client.query<{ rows: number }>(`SELECT count(*)::int AS rows FROM ${name}`);
      counts[name] = rows[0]?.rows ?? 0;
    }
    return counts;
  } finally {
    await client.end();
  }
}

/** The rows once `reached` is true of them and nothing changes any more: the workers go on after the answer of an add. */
async function rowsAtRest(fleet: Fleet, reached: Record<string, number>): Promise<Record<string, number>> {
  let rows = await rowCounts(fleet);
  await eventually(
    async () => {
      const earlier = rows;
      rows = await rowCounts(fleet);
      return isDeepStrictEqual({ ...rows, ...reached }, earlier);
    },
    { what: 'the workers are done with the messages' },
  );
  return rows;
}

/** Tables that workers write without a request, the whole outbox with its partitions among them, and the counters of triggers. */
const CHANGING =
  /\.(outbox(_\d)?|work_leases|unfinished_deliveries|index_backlog|word_statistics|ingestion_counts|idempotency)$/;

/** Rows that workers add after the answer: two counts alike do not say that they are done on a busy machine. */
const LEFT_BY_WORKERS = {
  'episodic.index_collections': 1,
  'episodic.index_spaces': 1,
  'semantic.index_collections': 1,
  'semantic.ingestion_cursors': 2,
  'semantic.ingestion_jobs': 1,
  'semantic.sets': 3,
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loci-backup-'));
});

afterAll(async () => {
  await Promise.all(running.map((fleet) => fleet.destroy()));
  await rm(folder, { recursive: true, force: true });
});

test('what a running Loci knew is known after a restore into new, empty servers, and found by meaning', async () => {
  const backup = join(folder, 'whole');
  const original = await start();
  const before = new Client(original.url, PROJECT);
  await before.add([
    'Ada prefers tea\twithout sugar.\\N',
    'The server room is in the basement.',
    'Ünïcödé 🦜\nline',
  ]);
  const known = await before.listAll();
  const rows = await rowsAtRest(original, LEFT_BY_WORKERS);
  expect(rows).toMatchObject({ 'episodic.episodes': 3, 'episodic.projects': 1 });
  const { stdout } = await tool('backup', original.servers.databaseUrl, backup);
  expect(stdout).toMatch(/rows of \d+ tables/);
  await original.destroy();
  running.pop();

  const restored = await start(backup);
  expect(await rowCounts(restored)).toEqual(rows);
  const after = new Client(restored.url, PROJECT);
  expect(await after.listAll()).toEqual(known);
  await after.disableShortTerm();
  // Qdrant is empty: its index is made again from PostgreSQL
  await eventually(
    async () => (await after.search('Which hot drink does she like?')).longTerm[0]?.uid === known[0]?.uid,
    { what: 'the memory is found by its meaning' },
  );
  expect(await after.add(['life goes on'])).toHaveLength(1);

  const again = tool('restore', restored.servers.databaseUrl, backup);
  await expect(again).rejects.toMatchObject({ stderr: expect.stringContaining('is not empty') });
});

test('a folder with half a backup, or with something else, is refused with a sentence', async () => {
  const [fleet] = running;
  const databaseUrl = fleet?.servers.databaseUrl ?? '';
  await expect(tool('restore', databaseUrl, join(folder, 'nothing'))).rejects.toMatchObject({
    stderr: expect.stringContaining('holds no complete backup'),
  });
  await expect(tool('backup', databaseUrl, join(folder, 'whole'))).rejects.toMatchObject({
    stderr: expect.stringContaining('is not empty'),
  });
});
