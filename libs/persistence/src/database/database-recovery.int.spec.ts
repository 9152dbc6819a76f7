import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AppError } from '@loci/contracts';
import { type Servers, startServers } from '@loci/runtime';
import { eventually, allowTestDatabases } from '@loci/testing';
import { SpecDatabase } from '../../test/spec-database.js';
import { entityManager } from './transaction.js';

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
    expect(tookMs).toBeLessThan(4_000);
  }
  const rows = await database.query<{ id: number }>(`SELECT id FROM spec.notes`);
  const ids = new Set(rows.map(({ id }) => id));
  expect(committed.filter((id) => !ids.has(id))).toEqual([]);
  await database.drop();
});
