import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, Fleet } from '@loci/testing';
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
  const { stdout } = await tool('backup', original.servers.databaseUrl, backup);
  expect(stdout).toMatch(/rows of \d+ tables/);
  await original.destroy();
  running.pop();

  const restored = await start(backup);
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
