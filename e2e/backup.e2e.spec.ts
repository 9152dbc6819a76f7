import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, Loci } from '@loci/testing';
import pg from 'pg';
import { Client } from './harness/client.js';

const run = promisify(execFile);
const PROJECT = { org_id: 'acme', project_id: 'archive' };

let folder: string;
let loci: Loci;

const tool = (
  name: 'backup' | 'nightly' | 'restore',
  databaseUrl: string,
  path: string,
  env: NodeJS.ProcessEnv = {},
): Promise<{ stdout: string }> =>
  run(process.execPath, [`tools/backup/${name}.mjs`, path], {
    env: { ...process.env, ...env, DATABASE_URL: databaseUrl },
  });

const ownerUrl = (): Promise<string> => loci.databaseUrlOf('migrate');

/** The rows of every table of the services, by the owner of the database, past row security; queues and counters change by themselves. */
async function rowCounts(): Promise<Record<string, number>> {
  const client = new pg.Client({ connectionString: await ownerUrl(), options: '-c loci.scope=*' });
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
async function rowsAtRest(reached: Record<string, number>): Promise<Record<string, number>> {
  let rows = await rowCounts();
  await eventually(
    async () => {
      const earlier = rows;
      rows = await rowCounts();
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

/** The data folder without its data, as docs/operations.md says: keys, passwords and settings stay. */
async function emptyDataFolder(): Promise<void> {
  for (const server of ['postgres', 'nats', 'qdrant'])
    await rm(join(loci.dataDir, server), { recursive: true });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loci-backup-'));
});

afterAll(async () => {
  await loci.destroy();
  await rm(folder, { recursive: true, force: true });
});

test('what a running Loci knew is known after a restore into new, empty servers, and found by meaning', async () => {
  const backup = join(folder, 'whole');
  loci = await Loci.start();
  const before = new Client(loci.url, PROJECT);
  await before.add([
    'Ada prefers tea\twithout sugar.\\N',
    'The server room is in the basement.',
    'Ünïcödé 🦜\nline',
  ]);
  const known = await before.listAll();
  const rows = await rowsAtRest(LEFT_BY_WORKERS);
  expect(rows).toMatchObject({ 'episodic.episodes': 3, 'episodic.projects': 1 });
  const { stdout } = await tool('backup', await ownerUrl(), backup);
  expect(stdout).toMatch(/rows of \d+ tables/);
  await loci.stop();
  await emptyDataFolder();

  loci = await Loci.start({ dataDir: loci.dataDir, env: { LOCI_RESTORE: backup } });
  expect(await rowCounts()).toEqual(rows);
  const after = new Client(loci.url, PROJECT);
  expect(await after.listAll()).toEqual(known);
  await after.disableShortTerm();
  // Qdrant is empty: its index is made again from PostgreSQL
  await eventually(
    async () => (await after.search('Which hot drink does she like?')).longTerm[0]?.uid === known[0]?.uid,
    { what: 'the memory is found by its meaning' },
  );
  expect(await after.add(['life goes on'])).toHaveLength(1);

  const again = tool('restore', await ownerUrl(), backup);
  await expect(again).rejects.toMatchObject({ stderr: expect.stringContaining('is not empty') });
});

test('a data folder with data is not restored into, and stays as it is', async () => {
  const { dataDir } = loci;
  await loci.stop();
  const again = Loci.start({ dataDir, env: { LOCI_RESTORE: join(folder, 'whole') } });
  await expect(again).rejects.toThrow(
    /Loci did not start\. The backup that LOCI_RESTORE names .* is not empty/,
  );
  loci = await Loci.start({ dataDir });
  expect(await new Client(loci.url, PROJECT).listAll()).toHaveLength(4);
});

test('a folder with half a backup, or with something else, is refused with a sentence', async () => {
  const databaseUrl = await ownerUrl();
  await expect(tool('restore', databaseUrl, join(folder, 'nothing'))).rejects.toMatchObject({
    stderr: expect.stringContaining('holds no complete backup'),
  });
  await expect(tool('backup', databaseUrl, join(folder, 'whole'))).rejects.toMatchObject({
    stderr: expect.stringContaining('is not empty'),
  });
});

test('a nightly backup that fails leaves nothing, and takes nothing of one that is being made', async () => {
  const nights = join(folder, 'nights');
  const killed = '2026-01-01T01-30-00Z';
  await mkdir(join(nights, killed), { recursive: true });
  await writeFile(join(nights, killed, 'config.projects.copy.gz'), '');
  const databaseUrl = await ownerUrl();
  const locker = new pg.Client({ connectionString: databaseUrl });
  await locker.connect();
  try {
    await locker.query('BEGIN; LOCK TABLE semantic.feature_history IN ACCESS EXCLUSIVE MODE');
    const first = tool('nightly', databaseUrl, nights);
    await eventually(async () => (await filesOfNewest(nights)) > 1, { what: 'it waits for the lock' });
    const [written] = await readdir(nights);
    expect(written).not.toBe(killed);

    const impatient = `${databaseUrl}?options=${encodeURIComponent('-c loci.scope=* -c lock_timeout=1s')}`;
    await expect(tool('nightly', impatient, nights)).rejects.toMatchObject({
      stderr: expect.stringContaining('lock timeout'),
    });
    expect(await readdir(nights)).toEqual([written]);

    await locker.query('ROLLBACK');
    expect((await first).stdout).toContain(`${written}.`);
    expect(await readdir(join(nights, String(written)))).toContain('manifest.json');
  } finally {
    await locker.end();
  }
});

async function filesOfNewest(nights: string): Promise<number> {
  const newest = (await readdir(nights)).sort().at(-1);
  return newest === undefined ? 0 : (await readdir(join(nights, newest))).length;
}
