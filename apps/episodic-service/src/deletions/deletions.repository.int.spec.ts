import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ROWS_OF_ALL } from '@loci/persistence';
import { TestDatabase } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { migrate, Replica } from '../../test/replica.js';
import { DeletionsRepository } from './deletions.repository.js';

const NOTHING = { uids: [], seen: 0, seen_at: null, seen_uid: null };

let database: TestDatabase;
let replica: Replica;
let deletions: DeletionsRepository;

beforeAll(async () => {
  database = await TestDatabase.create();
  await migrate(database.url);
  replica = await Replica.open(database.url);
  deletions = new DeletionsRepository(replica.unitOfWork);
});

afterAll(async () => {
  await replica.close();
  await database.drop();
});

async function enqueue(orgId: string, count: number): Promise<void> {
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
}

test('an organization does not wait behind the many deletions of another', async () => {
  await enqueue('many', 200);
  await enqueue('few', 1);
  const taken: string[] = [];
  while (!taken.includes('few') && taken.length < 60) {
    await replica.unitOfWork.run(
      async (tx) => {
        const next = await deletions.take(tx);
        taken.push(next?.tenant.orgId ?? 'none');
        if (next) await deletions.advance(next, NOTHING, { deleted: 0, isLast: false }, tx);
      },
      { scope: ROWS_OF_ALL },
    );
  }
  // each step is of either with a chance of one half
  expect(taken.at(-1)).toBe('few');
});
