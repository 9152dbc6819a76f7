import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AppError, type Tenant } from '@loci/contracts';
import { Database, ROWS_OF_ALL, runMigrations, UnitOfWork } from '@loci/persistence';
import { loadEnv } from '@loci/platform';
import { RecordingLogger, TestDatabase } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { SCHEMA } from '../database.js';
import { ENTITIES } from '../entities.js';
import { ConfigServiceEnv } from '../env.js';
import { MEMORY_DEFAULTS } from '../memory-configuration/memory-defaults.js';
import { MIGRATIONS } from '../migrations.js';
import { LookAlikeNames } from './look-alike-names.js';
import { resolveProjectConfig } from './project-config.js';
import { ProjectsRepository } from './projects.repository.js';

const CYRILLIC = '\u0430cme';

let testDatabase: TestDatabase;
let database: Database;
let unitOfWork: UnitOfWork;

beforeAll(async () => {
  testDatabase = await TestDatabase.create();
  const { url } = testDatabase;
  await runMigrations({ url, schema: SCHEMA, migrations: [...MIGRATIONS] });
  database = await Database.connect({ url, schema: SCHEMA, entities: ENTITIES }, new RecordingLogger());
  unitOfWork = new UnitOfWork(database);
});

beforeEach(() => testDatabase.query('DELETE FROM config.projects'));

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const namesWith = (LOOK_ALIKE_NAMES: string): LookAlikeNames => {
  const settings = { DATABASE_URL: 'x', NATS_URL: 'x', LOCI_SECRET_KEYS: 'x', LOOK_ALIKE_NAMES };
  return new LookAlikeNames(unitOfWork, loadEnv(ConfigServiceEnv, settings));
};

/** Adds a project as the service does. @returns whether it is there now, or the code of the refusal */
async function add(orgId: string, projectId: string, setting = 'refuse'): Promise<boolean | string> {
  const tenant: Tenant = { orgId, projectId };
  const project = {
    uid: uuidv7(),
    tenant,
    description: '',
    config: resolveProjectConfig(undefined, MEMORY_DEFAULTS.episodic.longTerm),
    models: { embedder: '', reranker: '', revision: 0 },
  };
  return unitOfWork
    .run(async (tx) => {
      await namesWith(setting).refuse(tenant, tx);
      return new ProjectsRepository(unitOfWork).add(project, tx);
    })
    .catch((error: unknown) => {
      if (error instanceof AppError) return error.code;
      throw error;
    });
}

/** As a process of the version before does, or one that allows it. */
const addWithoutSkeleton = (orgId: string, projectId: string): Promise<unknown> =>
  testDatabase.query(
    `INSERT INTO config.projects (uid, org_id, project_id, description, config)
     VALUES (gen_random_uuid(), '${orgId}', '${projectId}', '', '{}')`,
  );

describe('a project', () => {
  test('that looks like another one of its organization is refused, and so is every further form of it', async () => {
    expect(await add('org', 'acme')).toBe(true);
    for (const name of [CYRILLIC, 'ａｃｍｅ', 'acme\u3164', 'ac\u115fme']) {
      expect(await add('org', name)).toBe('name_confusable');
    }
    expect(await add('org', 'Acme')).toBe(true);
    expect(await add('org', 'acme')).toBe(false);
  });

  test('may look like one of another organization', async () => {
    expect(await add('org', 'acme')).toBe(true);
    expect(await add('other', CYRILLIC)).toBe(true);
  });

  test('is refused until the one that it looks like is erased', async () => {
    await add('org', 'acme');
    await testDatabase.query('UPDATE config.projects SET deleted_at = now()');
    expect(await add('org', CYRILLIC)).toBe('name_confusable');
    await testDatabase.query('DELETE FROM config.projects');
    expect(await add('org', CYRILLIC)).toBe(true);
  });
});

test('an organization that looks like another one gets no first project', async () => {
  expect(await add('acme', 'p')).toBe(true);
  expect(await add(CYRILLIC, 'q')).toBe('name_confusable');
  expect(await add('acme', 'q')).toBe(true);
});

test('a key is bound to no organization and no project that looks like another one', async () => {
  await add('acme', 'p');
  const bind = (orgId?: string, projectId?: string): Promise<unknown> =>
    unitOfWork
      .run((tx) => namesWith('refuse').refuseBinding({ orgId, projectId }, tx))
      .catch((error: unknown) => (error instanceof AppError ? error.code : error));
  expect(await bind()).toBeUndefined();
  expect(await bind('acme')).toBeUndefined();
  expect(await bind('acme', 'p')).toBeUndefined();
  expect(await bind('acme', 'new')).toBeUndefined();
  expect(await bind('new', 'p')).toBeUndefined();
  expect(await bind(CYRILLIC)).toBe('name_confusable');
  expect(await bind(CYRILLIC, 'p')).toBe('name_confusable');
  expect(await bind('acme', '\u0440')).toBe('name_confusable');
});

test.each([
  ['projects', (name: string) => ['org', name]],
  ['organizations', (name: string) => [name, 'p']],
] as const)('of many %s that look alike and come at once, one is there', async (_, namesOf) => {
  const forms = ['acme', CYRILLIC, 'ａｃｍｅ', 'acm\u0435', 'acme\u3164', '𝐚cme'];
  const results = await Promise.all(
    forms.map((form) => {
      const [org = '', project = ''] = namesOf(form);
      return add(org, project);
    }),
  );
  expect(results.filter((result) => result === true)).toHaveLength(1);
  expect(results.filter((result) => result === 'name_confusable')).toHaveLength(forms.length - 1);
});

test('names that look alike since before stay usable, and nothing is added that looks like them', async () => {
  await addWithoutSkeleton('acme', 'a');
  await addWithoutSkeleton(CYRILLIC, 'a');
  await addWithoutSkeleton('acme', '\u0430');
  await namesWith('refuse').onApplicationBootstrap();
  expect(await add('acme', 'b')).toBe(true);
  expect(await add(CYRILLIC, 'b')).toBe(true);
  expect(await add('acme', '\u0430')).toBe(false);
  expect(await add('acme', 'ａ')).toBe('name_confusable');
  expect(await add('ａcme', 'c')).toBe('name_confusable');
});

test('where look-alikes are allowed, they are added', async () => {
  expect(await add('acme', 'a', 'allow')).toBe(true);
  expect(await add(CYRILLIC, '\u0430', 'allow')).toBe(true);
  const [row] = await unitOfWork.single(
    (manager) =>
      manager.query<{ count: string }[]>('SELECT count(DISTINCT org_skeleton) FROM config.projects'),
    ROWS_OF_ALL,
  );
  expect(row?.count).toBe('1');
});
