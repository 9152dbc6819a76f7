import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Servers, startServers } from '@loci/runtime';
import { eventually, Loci, PgBouncer } from '@loci/testing';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from './harness/client.js';

/** Fewer than the processes open together. */
const CONNECTIONS = 20;
const PROJECTS = Array.from({ length: 40 }, (_, index) => `project-${index}`);

(PgBouncer.isThere() ? describe : describe.skip)('behind PgBouncer 1.21 or newer, by transaction', () => {
  let dataDir: string;
  let postgres: Servers;
  let pooler: PgBouncer;
  let loci: Loci;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'loci-pooler-'));
    postgres = await startServers({ dataDir, durability: 'fast-for-tests', only: ['postgres'] });
    pooler = await PgBouncer.start(postgres.databaseUrl, CONNECTIONS);
    loci = await Loci.start({
      env: {
        ...{ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: postgres.databaseUrl },
        // what forty search at once, they find by its words
        SEARCH_INDEX_BUDGET_MS: '500',
      },
    });
  });

  afterAll(async () => {
    await loci.destroy();
    await pooler.stop();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const clientOf = (project: string): Client =>
    new Client(loci.url, { org_id: `org-${project}`, project_id: project });

  test('forty projects of forty organizations at once store, list, find and delete their own', async () => {
    await Promise.all(
      PROJECTS.map(async (project) => {
        const client = clientOf(project);
        const uids = await client.add([`The first secret of ${project} is tea.`, `Another of ${project}.`]);
        expect((await client.list()).map(({ uid }) => uid)).toEqual(uids);
        await client.disableShortTerm();
        const { longTerm } = await client.search('first secret tea');
        expect(longTerm[0]?.uid).toBe(uids[0]);
        expect(longTerm.filter(({ uid }) => !uids.includes(uid))).toEqual([]);
        await client.expect(204, '/memories/episodic/delete', { episodic_id: uids[1] });
        expect((await client.list()).map(({ uid }) => uid)).toEqual([uids[0]]);
      }),
    );
  });

  test('a deleted project is gone, and the others are not', async () => {
    const [gone = '', left = ''] = PROJECTS;
    await clientOf(gone).expect(204, '/projects/delete', {});
    await eventually(async () => (await clientOf(gone).post('/projects/get', {})).status === 404, {
      what: 'the project is gone',
    });
    expect(await clientOf(left).list()).toHaveLength(1);
  });
});
