import { expect, test } from '@jest/globals';
import { fieldIs, type Tenant } from '@loci/contracts';
import { Idempotency, ROWS_OF_ALL } from '@loci/persistence';
import { type TestDatabase } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { type Replica } from '../../test/replica.js';
import { useReplicas } from '../../test/replicas.js';
import { SCHEMA } from '../database.js';
import { ENTITIES } from '../entities.js';
import { type ProjectsService } from '../projects/projects.service.js';
import { DeletionsRepository } from './deletions.repository.js';
import { DeletionsService } from './deletions.service.js';

const filter = fieldIs({ kind: 'metadata', key: 'channel' }, 'a');

let database: TestDatabase;
let replica: Replica;
let deletions: DeletionsRepository;
let service: DeletionsService;

useReplicas(async (opened) => {
  ({ database } = opened);
  replica = await opened.openReplica();
  deletions = new DeletionsRepository(replica.unitOfWork);
  // a project is called after its uid here
  const projects = { get: ({ projectId }: Tenant) => Promise.resolve({ uid: projectId }) };
  const idempotency = new Idempotency(
    { url: database.url, schema: SCHEMA, entities: ENTITIES },
    replica.unitOfWork,
  );
  service = new DeletionsService(
    deletions,
    replica.episodes,
    projects as Partial<ProjectsService> as ProjectsService,
    idempotency,
  );
});

async function projectWith(open: number): Promise<Tenant> {
  const projectUid = uuidv7();
  const tenant = { orgId: 'acme', projectId: projectUid };
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
