import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AppError, type SetQuotasRequest } from '@loci/contracts';
import { Database, Idempotency, QuotaLimits, runMigrations, UnitOfWork } from '@loci/persistence';
import { loadEnv, Metrics } from '@loci/platform';
import { RecordingLogger, TestDatabase } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { SCHEMA } from '../database.js';
import { ENTITIES } from '../entities.js';
import { ConfigServiceEnv } from '../env.js';
import { ApiKeysRepository } from '../api-keys/api-keys.repository.js';
import { MEMORY_DEFAULTS } from '../memory-configuration/memory-defaults.js';
import { MIGRATIONS } from '../migrations/migrations.js';
import { resolveProjectConfig } from '../projects/project-config.js';
import { LookAlikeNames } from '../names/look-alike-names.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { QuotaUseRepository } from './quota-use.repository.js';
import { QuotasService } from './quotas.service.js';

const QUOTA = 3;

let testDatabase: TestDatabase;
let database: Database;
let unitOfWork: UnitOfWork;
let quotas: QuotasService;
let metrics: Metrics;
let orgId: string;

beforeAll(async () => {
  testDatabase = await TestDatabase.create();
  const options = { url: testDatabase.url, schema: SCHEMA, entities: ENTITIES };
  await runMigrations({ ...options, migrations: [...MIGRATIONS] });
  database = await Database.connect({ ...options, poolSize: 8 }, new RecordingLogger());
  unitOfWork = new UnitOfWork(database);
  const settings = { DATABASE_URL: 'x', NATS_URL: 'x', LOCI_SECRET_KEYS: 'x' };
  const env = loadEnv(ConfigServiceEnv, { ...settings, QUOTA_PROJECTS: `${QUOTA}`, QUOTA_KEYS: `${QUOTA}` });
  metrics = new Metrics('spec');
  const idempotency = new Idempotency(options, unitOfWork);
  const limits = new QuotaLimits(options, unitOfWork);
  const use = new QuotaUseRepository(unitOfWork);
  quotas = new QuotasService(limits, idempotency, use, new LookAlikeNames(env), env, metrics);
});

beforeEach(() => {
  orgId = uuidv7();
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const codeOf = (error: unknown): string => {
  if (error instanceof AppError) return error.code;
  throw error;
};

const addProject = (projectId: string): Promise<boolean | string> => {
  const tenant = { orgId, projectId };
  const config = resolveProjectConfig(undefined, MEMORY_DEFAULTS.episodic.longTerm);
  const models = { embedder: '', reranker: '', revision: 0 };
  const project = { uid: uuidv7(), tenant, description: '', config, models };
  const projects = new ProjectsRepository(unitOfWork);
  return unitOfWork
    .run((tx) => quotas.within('projects', orgId, tx, () => projects.add(project, tx)))
    .catch(codeOf);
};

const addKey = (bounds: { orgId?: string; projectId?: string }, expiresAt?: Date): Promise<unknown> => {
  const keys = new ApiKeysRepository(unitOfWork);
  const key = { id: uuidv7(), name: 'x', scopes: ['read' as const], bounds, producer: undefined, expiresAt };
  return unitOfWork
    .run((tx) =>
      quotas.within('keys', bounds.orgId, tx, () => keys.add({ ...key, digest: uuidv7(), hint: 'h' }, tx)),
    )
    .catch(codeOf);
};

const set = (limits: SetQuotasRequest['limits']): Promise<unknown> => quotas.replace({ orgId, limits });

const used = async (name: string): Promise<number | undefined> =>
  (await quotas.of(orgId)).quotas.find((quota) => quota.name === name)?.used;

describe('projects', () => {
  test('there are as many as the quota says, however many ask at once', async () => {
    const added = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(addProject));
    expect(added.filter((one) => one === true)).toHaveLength(QUOTA);
    expect(added.filter((one) => one === 'quota_exceeded')).toHaveLength(3);
    expect(await used('projects')).toBe(QUOTA);
  });

  test('adding one that is there is no creation', async () => {
    for (const name of ['a', 'b', 'c']) await addProject(name);
    expect(await addProject('a')).toBe(false);
  });

  test('of another organization do not count', async () => {
    for (const name of ['a', 'b', 'c']) await addProject(name);
    orgId = uuidv7();
    expect(await addProject('a')).toBe(true);
  });
});

describe('keys', () => {
  test('those of projects count for their organization, those of none for nobody', async () => {
    await Promise.all([addKey({ orgId }), addKey({ orgId, projectId: 'p' }), addKey({ orgId })]);
    expect(await addKey({ orgId, projectId: 'p' })).toBe('quota_exceeded');
    for (let count = 0; count <= QUOTA; count += 1) expect(await addKey({})).toMatchObject({ name: 'x' });
  });

  test('one that has expired does not count', async () => {
    for (let count = 0; count <= QUOTA; count += 1) {
      expect(await addKey({ orgId }, new Date(Date.now() - 1))).toMatchObject({ name: 'x' });
    }
    expect(await used('keys')).toBe(0);
  });
});

describe('the quotas of one organization', () => {
  test('count from when they are set, and are the defaults again when they are not', async () => {
    await set([{ name: 'projects', limit: 1 }]);
    expect([await addProject('a'), await addProject('b')]).toEqual([true, 'quota_exceeded']);
    expect((await quotas.of(orgId)).quotas).toEqual([
      { name: 'projects', limit: 1, used: 1, isDefault: false },
      { name: 'keys', limit: QUOTA, used: 0, isDefault: true },
      { name: 'webhooks', limit: 20, used: 0, isDefault: true },
    ]);
    await set([{ name: 'projects', limit: 0 }]);
    expect((await quotas.of(orgId)).quotas[0]).toMatchObject({ limit: 0, used: 1 });
    await set([]);
    expect(await addProject('b')).toBe(true);
  });

  test('are told apart by those who look at metrics', async () => {
    await set([{ name: 'projects', limit: 2 }]);
    for (const name of ['a', 'b', 'c']) await addProject(name);
    const text = await metrics.render();
    expect(text).toMatch(/loci_quota_use_ratio\{quota="projects",service="spec"\} 1\n/);
    expect(text).toMatch(/loci_quota_refusals_total\{quota="projects",service="spec"\} [1-9]/);
  });
});

test('an organization that looks like another one gets no quotas but the defaults', async () => {
  const one = { name: 'keys' as const, limit: 1 };
  const lookAlike = `\u0430${orgId}`;
  await quotas.replace({ orgId: `a${orgId}`, limits: [one] });
  const refused = { code: 'name_confusable' };
  // those of other services, too: a gateway sets these after ours
  for (const limits of [[one], [{ ...one, name: 'sets' as const }]]) {
    await expect(quotas.replace({ orgId: lookAlike, limits })).rejects.toMatchObject(refused);
  }
  await quotas.replace({ orgId: lookAlike, limits: [] });
  await quotas.replace({ orgId: `a${orgId}`, limits: [] });
  await quotas.replace({ orgId: lookAlike, limits: [one] });
});
