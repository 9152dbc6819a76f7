import { expect, test } from '@jest/globals';
import { type TestDatabase } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { type Replica } from '../../test/replica.js';
import { useReplicas } from '../../test/replicas.js';

let database: TestDatabase;
let replica: Replica;

useReplicas(async (opened) => {
  ({ database } = opened);
  replica = await opened.openReplica();
});

test('an episode that the version before imports, whose keys were uids alone, is imported once', async () => {
  const { projectUid } = await replica.openProject();
  const uid = uuidv7();
  const add = (): Promise<unknown[]> =>
    database.query(
      `INSERT INTO episodic.episodes (uid, project_uid, content, producer_id, producer_role, produced_for_id, metadata,
                                      created_at, in_short_term, in_long_term, is_semantic)
       VALUES ($1, $2, 'imported', 'ann', 'user', '', '{}', now(), true, true, true)
       ON CONFLICT (uid) DO NOTHING RETURNING uid`,
      [uid, projectUid],
    );
  expect([await add(), await add()]).toEqual([[{ uid }], []]);
});
