import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Author, fieldIs, type Tenant } from '@loci/contracts';
import { Idempotency, ROWS_OF_ALL } from '@loci/persistence';
import { RequestContext } from '@loci/platform';
import { type TestDatabase } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { batchOf, type Replica } from '../../test/replica.js';
import { useReplicas } from '../../test/replicas.js';
import { SCHEMA } from '../database.js';
import { ENTITIES } from '../entities.js';
import { EpisodeCounts } from '../episodes/episode-counts.js';
import { type ProjectsService } from '../projects/projects.service.js';
import { DeletionsRepository } from './deletions.repository.js';
import { DeletionsService } from './deletions.service.js';

const filter = fieldIs({ kind: 'metadata', key: 'channel' }, 'a');

/** As of a project that is too large to be counted. */
class StepsOfTwo extends EpisodeCounts {
  override matching(...[projectUid, filter, tx]: Parameters<EpisodeCounts['matching']>) {
    return super.matching(projectUid, filter, tx, { firstStep: 2, withinMs: 0 });
  }
}

let database: TestDatabase;
let replica: Replica;
let deletions: DeletionsRepository;
let service: DeletionsService;

useReplicas(async (opened) => {
  ({ database } = opened);
  replica = await opened.openReplica();
  deletions = new DeletionsRepository(replica.unitOfWork);
  // a project is called after its uid here
  const named = ({ projectId }: Tenant) => Promise.resolve({ uid: projectId });
  const projects = { get: named, find: named };
  const idempotency = new Idempotency(
    { url: database.url, schema: SCHEMA, entities: ENTITIES },
    replica.unitOfWork,
  );
  service = new DeletionsService(
    deletions,
    replica.episodes,
    new StepsOfTwo(replica.unitOfWork),
    projects as Partial<ProjectsService> as ProjectsService,
    idempotency,
  );
});

async function projectWith(open: number, orgId = 'acme'): Promise<Tenant> {
  const projectUid = uuidv7();
  const tenant = { orgId, projectId: projectUid };
  await replica.projects.open({ tenant, projectUid, models: { embedder: '', reranker: '', revision: 0 } });
  await replica.unitOfWork.run(
    async (tx) => {
      for (let n = 0; n < open; n += 1) await deletions.insert({ uid: uuidv7(), projectUid, filter }, 0, tx);
    },
    { scope: ROWS_OF_ALL },
  );
  return tenant;
}

const start = (tenant: Tenant) => service.start({ tenant, filter });

test('a project has a thousand deletions that are not done, and no more until one is', async () => {
  const tenant = await projectWith(999);
  await start(tenant);
  await expect(start(tenant)).rejects.toMatchObject({
    code: 'overloaded',
    details: { retryAfterSeconds: 60 },
  });
  await expect(start(await projectWith(0))).resolves.toMatchObject({ state: 'deleting' });
  await database.query(
    `UPDATE episodic.deletions SET state = 'done' WHERE uid = (
       SELECT uid FROM episodic.deletions WHERE project_uid = '${tenant.projectId}' LIMIT 1)`,
  );
  await expect(start(tenant)).resolves.toMatchObject({ state: 'deleting' });
});

test('an organization has five thousand in all of its projects, and no more until one is done', async () => {
  const { projectId } = await projectWith(0, 'many');
  await database.query(
    `INSERT INTO episodic.deletions (uid, project_uid, organization, matching, state)
     SELECT gen_random_uuid(), '${projectId}', 'many', 1, CASE WHEN n > 4999 THEN 'done' ELSE 'deleting' END
     FROM generate_series(1, 6000) n`,
  );
  const other = await projectWith(0, 'many');
  await start(other);
  await expect(start(other)).rejects.toMatchObject({
    code: 'overloaded',
    message: expect.stringContaining('The organization has 5000 deletions that are not done yet'),
    details: { retryAfterSeconds: 60 },
  });
  await expect(start(await projectWith(0, 'few'))).resolves.toMatchObject({ state: 'deleting' });
  await database.query(
    `UPDATE episodic.deletions SET state = 'done' WHERE uid = (
       SELECT uid FROM episodic.deletions WHERE project_uid = '${projectId}' AND state <> 'done' LIMIT 1)`,
  );
  await expect(start(other)).resolves.toMatchObject({ state: 'deleting' });
});

describe('of more messages than can be counted', () => {
  let tenant: Tenant;

  beforeAll(async () => {
    tenant = await projectWith(0);
    const said = Array.from({ length: 5 }, () => ({ metadata: { channel: 'a' } }));
    await replica.episodes.add(tenant, batchOf(...said));
  });

  test('a preview says that at least so many match', async () => {
    expect(await service.preview({ tenant, filter })).toEqual({ count: 2, isAtLeast: true });
  });

  test('a deletion of all that match is started, with how many were counted', async () => {
    await expect(start(tenant)).resolves.toMatchObject({ state: 'deleting', matching: 2 });
  });

  test('none is deleted by a number, which may not be theirs', async () => {
    const asked = service.start({ tenant, filter, expectedMatching: 2 });
    await expect(asked).rejects.toMatchObject({ code: 'matching_changed' });
  });
});

test('a key that is bound to a producer previews and starts the deletion of what that one said alone', async () => {
  const tenant = await projectWith(0);
  const said = ['mira', 'bob'].map((producerId) => ({ producerId, metadata: { channel: 'a' } }));
  await replica.episodes.add(tenant, batchOf(...said));
  const author: Author = { kind: 'api-key', id: 'k', producer: 'mira' };
  await RequestContext.run({ requestId: 'r', author }, async () => {
    expect(await service.preview({ tenant, filter })).toMatchObject({ count: 1 });
    expect(await start(tenant)).toMatchObject({ matching: 1 });
  });
  const [{ filter: stored } = {}] = await database.query(
    `SELECT filter FROM episodic.deletions WHERE project_uid = '${tenant.projectId}'`,
  );
  const ofMira = fieldIs({ kind: 'system', name: 'producer_id' }, 'mira');
  expect(stored).toEqual({ op: 'and', args: [filter, ofMira] });
});
