import { expect, test } from '@jest/globals';
import { type TestDatabase } from '@loci/testing';
import { CONVERSATIONS, type Replica } from '../../test/replica.js';
import { useReplicas } from '../../test/replicas.js';
import { TransferRepository } from './transfer.repository.js';

let database: TestDatabase;
let replica: Replica;

useReplicas(async (opened) => {
  ({ database } = opened);
  replica = await opened.openReplica();
});

test('a page of an export is bounded in bytes, what messages were ingested for included', async () => {
  const { tenant, projectUid } = await replica.openProject();
  const uids = await replica.addEach(tenant, ['a', 'b', 'c']);
  await database.query(
    `UPDATE episodic.episodes
     SET ingested = jsonb_build_array(jsonb_build_object('isOrgLevel', false, 'tags', '{}'::jsonb,
                                                         'categories', jsonb_build_array(repeat('x', 10000))))`,
  );
  const transfer = new TransferRepository(replica.unitOfWork, CONVERSATIONS);
  const page = await transfer.next(projectUid, undefined, 25_000);
  expect(page.map(({ uid }) => uid)).toEqual(uids.slice(0, 2));
});
