import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AppError } from '@loci/contracts';
import { type Servers, startServers } from '@loci/runtime';
import { eventually, allowTestDatabases } from '@loci/testing';
import pg from 'pg';
import { SpecDatabase } from '../../test/spec-database.js';
import { entityManager, type Transaction } from './transaction.js';

let folder: string;
let servers: Servers;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loci-postgres-'));
  servers = await startServers({ dataDir: folder, durability: 'durable', only: ['postgres'] });
  await allowTestDatabases(servers);
});

afterAll(async () => {
  await servers.stop();
  await rm(folder, { recursive: true, force: true });
});

test('PostgreSQL killed under load: calls are unavailable at once, what was committed stays, all works again', async () => {
  const database = await SpecDatabase.create(servers.databaseUrl);
  const unitOfWork = await database.open();
  const committed: number[] = [];
  const failures: { error: unknown; tookMs: number }[] = [];
  let next = 0;
  const write = async (): Promise<void> => {
    const id = (next += 1);
    const started = performance.now();
    try {
      await unitOfWork.run((tx) => entityManager(tx).query(`INSERT INTO spec.notes VALUES ($1, 'x')`, [id]));
      committed.push(id);
    } catch (error) {
      failures.push({ error, tookMs: performance.now() - started });
    }
  };
  const writeFor = (done: () => boolean): Promise<unknown> =>
    Promise.all(
      Array.from({ length: 4 }, () =>
        eventually(async () => (await write(), done()), { what: 'enough was written' }),
      ),
    );

  await writeFor(() => committed.length > 20);
  process.kill(servers.processes['postgres']?.pid ?? 0, 'SIGKILL');
  await writeFor(() => failures.length > 0);
  const before = committed.length;
  await writeFor(() => committed.length > before + 20);

  for (const { error, tookMs } of failures) {
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'database_unavailable' });
    expect(tookMs).toBeLessThan(10_000);
  }
  const rows = await database.query<{ id: number }>(`SELECT id FROM spec.notes`);
  const ids = new Set(rows.map(({ id }) => id));
  expect(committed.filter((id) => !ids.has(id))).toEqual([]);
  await database.drop();
});

test('a connection on which PostgreSQL falls silent is given up, and another one takes its turn', async () => {
  const database = await SpecDatabase.create(servers.databaseUrl);
  const unitOfWork = await database.open({ poolSize: 1, statementTimeoutMs: 1_000 });
  const pidOfBackend = async (): Promise<number> => {
    const query = (tx: Transaction): Promise<{ pid: number }[]> =>
      entityManager(tx).query('SELECT pg_backend_pid() AS pid');
    return (await unitOfWork.run(query))[0]?.pid ?? 0;
  };
  const silent = await pidOfBackend();
  // as a machine that lost its power: the connection stays, and nothing comes over it
  process.kill(silent, 'SIGSTOP');
  try {
    await expect(pidOfBackend()).rejects.toMatchObject({ code: 'database_unavailable' });
    expect(await pidOfBackend()).not.toBe(silent);
  } finally {
    process.kill(silent, 'SIGCONT');
  }
  await database.drop();
});

test('what a process locked is free soon after its end, also while it waited for a lock itself', async () => {
  const database = await SpecDatabase.create(servers.databaseUrl);
  await database.query(`INSERT INTO spec.notes VALUES (1, ''), (2, '')`);
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: database.url });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  const [holder, ended] = [await connect(), await connect()];
  const lock = (client: pg.Client, id: number): Promise<unknown> =>
    client.query('SELECT FROM spec.notes WHERE id = $1 FOR UPDATE', [id]);
  await holder.query('BEGIN');
  await lock(holder, 1);
  await ended.query('BEGIN');
  await lock(ended, 2);
  const waits = expect(lock(ended, 1)).rejects.toThrow();
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await eventually(async () => (await database.query(waiting)).length === 1, { what: 'it waits' });
  // as at the end of its process: without a word to the server
  ended.connection.stream.destroy();
  await waits;
  await eventually(
    async () => {
      const free = 'SELECT FROM spec.notes WHERE id = 2 FOR UPDATE SKIP LOCKED';
      return (await database.query(free)).length === 1;
    },
    { what: 'its lock is free' },
  );
  await holder.end();
  await database.drop();
});
