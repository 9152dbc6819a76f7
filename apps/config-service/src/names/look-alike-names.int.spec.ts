import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AppError, type Tenant } from '@loci/contracts';
import { Database, QuotaLimits, ROWS_OF_ALL, runMigrations, UnitOfWork } from '@loci/persistence';
import { loadEnv } from '@loci/platform';
import { RecordingLogger, TestDatabase } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { ApiKeysRepository } from '../api-keys/api-keys.repository.js';
import { noteNames } from './note-names.js';
import { SCHEMA } from '../database.js';
import { ENTITIES } from '../entities.js';
import { ConfigServiceEnv } from '../env.js';
import { MEMORY_DEFAULTS } from '../memory-configuration/memory-defaults.js';
import { MIGRATIONS } from '../migrations/migrations.js';
import { LookAlikeNames } from './look-alike-names.js';
import { UsedNames } from './used-names.js';
import { resolveProjectConfig } from '../projects/project-config.js';
import { ProjectsRepository } from '../projects/projects.repository.js';

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

beforeEach(async () => {
  for (const table of ['projects', 'api_keys', 'webhooks', 'quota_limits', 'bound_names']) {
    await testDatabase.query(`DELETE FROM config.${table}`);
  }
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const namesWith = (LOOK_ALIKE_NAMES: string): LookAlikeNames => {
  const settings = { DATABASE_URL: 'x', NATS_URL: 'x', LOCI_SECRET_KEYS: 'x', LOOK_ALIKE_NAMES };
  return new LookAlikeNames(loadEnv(ConfigServiceEnv, settings));
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

/** Adds a key as the service does. @returns the code of the refusal, if there is one */
const addKey = (orgId: string, projectId?: string, setting = 'refuse'): Promise<unknown> =>
  unitOfWork
    .run(async (tx) => {
      await namesWith(setting).refuseBinding({ orgId, projectId }, tx);
      await new ApiKeysRepository(unitOfWork).add(
        {
          id: uuidv7(),
          name: 'a key',
          scopes: ['read'],
          bounds: { orgId, projectId },
          producer: undefined,
          expiresAt: undefined,
          hint: 'x',
          digest: uuidv7(),
        },
        tx,
      );
    })
    .catch((error: unknown) => (error instanceof AppError ? error.code : error));

describe('an organization that has nothing but', () => {
  const revoke = (): Promise<unknown> => testDatabase.query('UPDATE config.api_keys SET revoked_at = now()');

  test('a key is there: none that looks like it gets a key or a project, until the key is revoked', async () => {
    expect(await addKey('acme')).toBeUndefined();
    expect(await addKey(CYRILLIC)).toBe('name_confusable');
    expect(await addKey(CYRILLIC, 'p')).toBe('name_confusable');
    expect(await add(CYRILLIC, 'p')).toBe('name_confusable');
    expect(await addKey('acme', 'p')).toBeUndefined();
    expect(await add('acme', 'p')).toBe(true);
    await testDatabase.query('DELETE FROM config.projects');
    await revoke();
    expect(await addKey(CYRILLIC)).toBeUndefined();
    expect(await addKey('acme')).toBe('name_confusable');
  });

  test('keys of projects that are still to be made keeps what looks like those away', async () => {
    expect(await addKey('acme', 'p')).toBeUndefined();
    expect(await addKey('acme', '\u0440')).toBe('name_confusable');
    expect(await add('acme', '\u0440')).toBe('name_confusable');
    expect(await add('acme', 'p')).toBe(true);
    expect(await addKey('acme', 'p')).toBeUndefined();
    expect(await addKey('other', '\u0440')).toBeUndefined();
  });

  test('quotas is there, and one that looks like it is not, whatever its quotas', async () => {
    for (const orgId of ['acme', CYRILLIC]) {
      await unitOfWork.run(async (tx) => {
        await noteNames({ orgId }, tx);
        await new QuotaLimits({ schema: SCHEMA }, unitOfWork).replace(
          orgId,
          [{ name: 'keys', limit: 1 }],
          tx,
        );
      });
    }
    expect(await addKey('\uff41cme')).toBe('name_confusable');
  });

  test('webhooks is there', async () => {
    await unitOfWork.run((tx) => noteNames({ orgId: 'acme' }, tx));
    expect(await addKey(CYRILLIC)).toBeUndefined();
    await revoke();
    await testDatabase.query(
      `INSERT INTO config.webhooks (id, org_id, url, description, secret, position)
       VALUES (gen_random_uuid(), 'acme', 'https://example.com', '', 'x', 0)`,
    );
    expect(await addKey(CYRILLIC)).toBe('name_confusable');
  });

  test('keys of the version before is there from the next start on', async () => {
    expect(await addKey('acme', 'p')).toBeUndefined();
    await testDatabase.query('DELETE FROM config.bound_names');
    await new UsedNames(unitOfWork, new RecordingLogger()).note();
    expect(await addKey(CYRILLIC)).toBe('name_confusable');
    expect(await addKey('acme', '\u0440')).toBe('name_confusable');
  });

  test('a key that was made where look-alikes are allowed is there, and both stay usable', async () => {
    expect(await addKey('acme', undefined, 'allow')).toBeUndefined();
    expect(await addKey(CYRILLIC, undefined, 'allow')).toBeUndefined();
    expect(await addKey('acme')).toBeUndefined();
    expect(await addKey(CYRILLIC)).toBeUndefined();
    expect(await addKey('\uff41cme')).toBe('name_confusable');
  });
});

test('of many keys for organizations that look alike and come at once, one is there', async () => {
  const results = await Promise.all(['acme', CYRILLIC, 'ａｃｍｅ', 'acm\u0435'].map((org) => addKey(org)));
  expect(results.filter((result) => result === undefined)).toHaveLength(1);
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
  await new UsedNames(unitOfWork, new RecordingLogger()).note();
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
