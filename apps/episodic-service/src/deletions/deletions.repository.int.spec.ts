import { beforeEach, describe, expect, test } from '@jest/globals';
import { ROWS_OF_ALL } from '@loci/persistence';
import { type TestDatabase } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { type Replica } from '../../test/replica.js';
import { useReplicas } from '../../test/replicas.js';
import { type ClaimedDeletion, DeletionsRepository } from './deletions.repository.js';

const NOTHING = { uids: [], seen: 0, seen_at: null, seen_uid: null };

let database: TestDatabase;
let replica: Replica;
let deletions: DeletionsRepository;

useReplicas(async (opened) => {
  ({ database } = opened);
  replica = await opened.openReplica();
  deletions = new DeletionsRepository(replica.unitOfWork);
});

beforeEach(() => database.query('DELETE FROM episodic.deletions'));

/** @returns the project of the deletions */
async function enqueue(orgId: string, count: number): Promise<string> {
  const projectUid = uuidv7();
  const tenant = { orgId, projectId: projectUid };
  await replica.projects.open({ tenant, projectUid, models: { embedder: '', reranker: '', revision: 0 } });
  const filter = { op: 'present', field: { kind: 'metadata', key: 'channel' } } as const;
  await replica.unitOfWork.run(
    async (tx) => {
      for (let n = 0; n < count; n += 1) {
        await deletions.insert({ uid: uuidv7(), projectUid, filter }, 0, tx);
      }
    },
    { scope: ROWS_OF_ALL },
  );
  return projectUid;
}

test('an organization does not wait behind the many deletions of another', async () => {
  await enqueue('many', 200);
  await enqueue('few', 1);
  const taken: string[] = [];
  while (!taken.includes('few') && taken.length < 60) {
    const claimed = await deletions.claim();
    if (!claimed) break;
    await replica.unitOfWork.run(async (tx) => {
      const next = await deletions.hold(claimed, tx);
      taken.push(next?.tenant.orgId ?? 'none');
      if (next) await deletions.advance(next, NOTHING, { deleted: 0, isLast: false }, tx);
    });
  }
  // each step is of either with a chance of one half
  expect(taken.at(-1)).toBe('few');
});

describe('a deletion', () => {
  /** As a worker leaves it that ended some time ago. */
  const passTime = (): Promise<unknown> =>
    database.query('UPDATE episodic.deletions SET lease_until = now() WHERE lease_until IS NOT NULL');

  const jobOf = async (projectUid: string) => (await deletions.list(projectUid, 1))[0];

  test('whose step ended its process three times in a row is set aside and says so; others go on', async () => {
    const projectUid = await enqueue('deadly', 1);
    for (const death of [1, 2, 3]) {
      expect((await jobOf(projectUid))?.error).toBeUndefined();
      expect([death, await deletions.claim()]).toEqual([death, expect.objectContaining({ projectUid })]);
      expect(await deletions.claim()).toBeUndefined();
      await passTime();
    }
    expect([await deletions.isAnyDue(), await deletions.claim()]).toEqual([false, undefined]);
    expect(await jobOf(projectUid)).toMatchObject({
      state: 'deleting',
      error: expect.stringMatching(/^Its process ended 3 times/),
    });
    const other = await enqueue('alive', 1);
    expect(await deletions.claim()).toMatchObject({ projectUid: other });
  });

  test.each([
    ['was done', (claimed: ClaimedDeletion) => advance(claimed)],
    ['failed', (claimed: ClaimedDeletion) => deletions.postpone(claimed)],
    ['was not begun', (claimed: ClaimedDeletion) => deletions.release(claimed)],
  ])('of which a step %s is counted anew', async (_, end) => {
    await enqueue('orderly', 1);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await deletions.claim();
      await passTime();
    }
    const claimed = await deletions.claim();
    if (!claimed) throw new Error('none is due');
    await end(claimed);
    const rows = await database.query('SELECT unfinished, lease_until FROM episodic.deletions');
    expect(rows).toEqual([{ unfinished: 0, lease_until: null }]);
  });

  const advance = (claimed: ClaimedDeletion): Promise<void> =>
    replica.unitOfWork.run(async (tx) => {
      const held = await deletions.hold(claimed, tx);
      if (held) await deletions.advance(held, NOTHING, { deleted: 0, isLast: false }, tx);
    });

  test('whose claim was lost is left alone', async () => {
    await enqueue('lost', 1);
    const lost = await deletions.claim();
    await passTime();
    const claimed = await deletions.claim();
    if (!lost || !claimed) throw new Error('none is due');
    await advance(lost);
    await deletions.postpone(lost);
    const rows = await database.query('SELECT unfinished, failures FROM episodic.deletions');
    expect(rows).toEqual([{ unfinished: 2, failures: 0 }]);
  });

  test('whose step takes longer than its lease is begun by no other worker', async () => {
    await enqueue('slow', 1);
    const claimed = await deletions.claim();
    if (!claimed) throw new Error('none is due');
    await passTime();
    const token = await database.query('SELECT lease_until::text AS token FROM episodic.deletions');
    await replica.unitOfWork.run(async (tx) => {
      expect(await deletions.hold({ ...claimed, ...(token[0] as { token: string }) }, tx)).toBeDefined();
      expect(await deletions.claim()).toBeUndefined();
    });
  });
});
