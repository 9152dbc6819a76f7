import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { apiKeysChanged, projectsConfigured, type Tenant } from '@loci/contracts';
import { type MessagePublisher } from '@loci/messaging';
import { Database, Idempotency, Outbox, QuotaLimits, runMigrations, UnitOfWork } from '@loci/persistence';
import { loadEnv, Metrics } from '@loci/platform';
import { eventually, RecordingLogger, TestDatabase } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { SCHEMA } from '../database.js';
import { ENTITIES } from '../entities.js';
import { ConfigServiceEnv } from '../env.js';
import { KeyChanges } from '../key-changes/key-changes.js';
import { ProjectKeys } from '../key-changes/project-keys.js';
import { MEMORY_DEFAULTS } from '../memory-configuration/memory-defaults.js';
import { MIGRATIONS } from '../migrations/migrations.js';
import { LookAlikeNames } from '../names/look-alike-names.js';
import { QuotaUseRepository } from '../quotas/quota-use.repository.js';
import { QuotasService } from '../quotas/quotas.service.js';
import { resolveProjectConfig } from './project-config.js';
import { type ProjectConfigs } from './project-configs.js';
import { type ProjectHolders } from './project-holders.js';
import { PROJECT_HOLDERS } from './project.js';
import { ProjectsRepository } from './projects.repository.js';
import { ProjectsService } from './projects.service.js';

/** Stands for JetStream. */
class Announcements {
  readonly ids: string[] = [];
  underWay = 0;
  most = 0;

  async publish(_: unknown, { id }: { readonly id: string }): Promise<void> {
    this.underWay += 1;
    this.most = Math.max(this.most, this.underWay);
    await new Promise(setImmediate);
    this.underWay -= 1;
    this.ids.push(id);
  }
}

const CONFIG = resolveProjectConfig(undefined, MEMORY_DEFAULTS.episodic.longTerm);

let testDatabase: TestDatabase;
let database: Database;
let projects: ProjectsService;
let announced: Announcements;
let tenant: Tenant;

beforeAll(async () => {
  testDatabase = await TestDatabase.create();
  const options = { url: testDatabase.url, schema: SCHEMA, entities: ENTITIES };
  await runMigrations({ ...options, migrations: MIGRATIONS });
  const logger = new RecordingLogger();
  // a second one that is wanted while the first is held never comes
  database = await Database.connect({ ...options, poolSize: 1 }, logger);
  const unitOfWork = new UnitOfWork(database);
  const env = loadEnv(ConfigServiceEnv, { DATABASE_URL: 'x', NATS_URL: 'x', LOCI_SECRET_KEYS: 'x' });
  const idempotency = new Idempotency(options, unitOfWork);
  const outbox = new Outbox(options, unitOfWork, logger);
  const lookAlikes = new LookAlikeNames(env);
  announced = new Announcements();
  const changes = new KeyChanges(outbox, announced as unknown as MessagePublisher, logger);
  projects = new ProjectsService(
    new ProjectsRepository(unitOfWork),
    { resolve: () => Promise.resolve(CONFIG), protect: () => Promise.resolve() } as unknown as ProjectConfigs,
    lookAlikes,
    new QuotasService(
      ...([new QuotaLimits(options, unitOfWork), idempotency, new QuotaUseRepository(unitOfWork)] as const),
      ...([lookAlikes, env, new Metrics('spec')] as const),
    ),
    {
      close: () => Promise.resolve(),
      adoptModels: () => Promise.resolve(),
    } as unknown as ProjectHolders,
    ...([idempotency, unitOfWork, outbox, new ProjectKeys(changes), changes] as const),
  );
});

beforeEach(() => {
  tenant = { orgId: uuidv7(), projectId: 'apollo' };
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

test('to create one that is there is refused at once, on the connection that found it', async () => {
  await projects.create({ tenant, description: '' });
  await expect(projects.create({ tenant, description: '' })).rejects.toMatchObject({
    code: 'project_exists',
  });
});

test('the keys of a project end with it, and gateways hear of those alone that were valid', async () => {
  const { orgId, projectId } = tenant;
  await projects.create({ tenant, description: '' });
  const addKeys = (count: number, expiresAt: string): Promise<unknown> =>
    testDatabase.query(
      `INSERT INTO config.api_keys (id, name, hint, scopes, org_id, project_id, digest, expires_at)
       SELECT gen_random_uuid(), 'x', 'x', '{read}', '${orgId}', '${projectId}', gen_random_uuid(), ${expiresAt}
       FROM generate_series(1, ${count})`,
    );
  await addKeys(60, 'NULL');
  await addKeys(40, `now() + interval '1 hour'`);
  await addKeys(300, `now() - interval '1 hour'`);
  await projects.delete({ tenant });
  await eventually(() => announced.ids.length === 100, { what: 'the announcements' });
  expect(announced.most).toBe(16);
  const valid = await testDatabase.query<{ id: string }>(
    `SELECT id FROM config.api_keys WHERE revoked_at IS NOT NULL AND (expires_at IS NULL OR expires_at > now())`,
  );
  expect(new Set(announced.ids)).toEqual(new Set(valid.map(({ id }) => id)));
  const [left] = await testDatabase.query('SELECT FROM config.api_keys WHERE revoked_at IS NULL');
  expect(left).toBeUndefined();
  const noted = await testDatabase.query(
    `SELECT DISTINCT payload->>'id' AS id FROM config.outbox WHERE subject = '${apiKeysChanged.subject}'`,
  );
  expect(noted).toHaveLength(100);
});

test('a project of the name of a former one is made by the same key, and not deleted by a repetition', async () => {
  const key = (name: string) => ({ key: name, fingerprint: name });
  const create = () => projects.create({ tenant, description: '', idempotency: key('create') });
  const remove = () => projects.delete({ tenant, idempotency: key('delete') });
  const first = await create();
  await remove();
  for (const holder of PROJECT_HOLDERS) {
    await projects.confirmErasure({ tenant, projectUid: first.uid }, holder);
  }
  await remove();
  const second = await create();
  expect(second.uid).not.toBe(first.uid);
  expect(await create()).toEqual(second);
  await remove();
  expect(await projects.get(tenant)).toEqual(second);
});

test('workers hear of a project that chose other models, and of none that chose what it had', async () => {
  await projects.create({ tenant, description: '' });
  const told = () =>
    testDatabase.query(
      `SELECT payload->'models'->>'embedder' AS embedder FROM config.outbox
       WHERE subject = '${projectsConfigured.subject}' AND payload->'tenant'->>'orgId' = '${tenant.orgId}'`,
    );
  await projects.configure({ tenant, embedder: 'a' });
  await projects.configure({ tenant, embedder: 'a', reranker: '' });
  await projects.configure({ tenant });
  expect(await told()).toEqual([{ embedder: 'a' }]);
  await projects.configure({ tenant, embedder: '' });
  expect(await told()).toHaveLength(2);
});
