import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Tenant } from '@loci/contracts';
import { Database, runMigrations, UnitOfWork } from '@loci/persistence';
import { PinoLogger } from '@loci/platform';
import { TestDatabase } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { SCHEMA } from '../database.js';
import { ENTITIES } from '../entities.js';
import { MEMORY_DEFAULTS } from '../memory-configuration/memory-defaults.js';
import { MIGRATIONS } from '../migrations/migrations.js';
import { resolveProjectConfig } from './project-config.js';
import { type ProjectHolder } from './project.js';
import { type NewProject, ProjectsRepository } from './projects.repository.js';

const HOLDERS: readonly ProjectHolder[] = ['episodic'];
const MINUTE_MS = 60_000;

let testDatabase: TestDatabase;
let database: Database;
let unitOfWork: UnitOfWork;
let projects: ProjectsRepository;

beforeAll(async () => {
  testDatabase = await TestDatabase.create();
  const { url } = testDatabase;
  await runMigrations({ url, schema: SCHEMA, migrations: MIGRATIONS });
  const logger = new PinoLogger({ service: 'spec', level: 'silent' });
  database = await Database.connect({ url, schema: SCHEMA, entities: ENTITIES }, logger);
  unitOfWork = new UnitOfWork(database);
  projects = new ProjectsRepository(unitOfWork);
});

beforeEach(() => testDatabase.query('DELETE FROM config.projects'));

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const tenant = (projectId: string, orgId = 'acme'): Tenant => ({ orgId, projectId });

const newProject = (owner: Tenant): NewProject => ({
  uid: uuidv7(),
  tenant: owner,
  description: '',
  config: resolveProjectConfig(undefined, MEMORY_DEFAULTS.episodic.longTerm),
  models: { embedder: '', reranker: '', revision: 0 },
});

const remove = (owner: Tenant): ReturnType<ProjectsRepository['markDeleted']> =>
  unitOfWork.run((tx) => projects.markDeleted(owner, HOLDERS, tx));

const takeUnconfirmed = async (): Promise<string[]> =>
  unitOfWork.run(async (tx) => (await projects.takeUnconfirmed(MINUTE_MS, 10, tx)).map(({ uid }) => uid));

describe('the name of a project', () => {
  test('is given to one only, however many ask at once', async () => {
    const asking = Array.from({ length: 10 }, () => newProject(tenant('wanted')));
    const given = await Promise.all(asking.map((project) => projects.add(project)));
    expect(given.filter(Boolean)).toHaveLength(1);
    expect((await projects.find(tenant('wanted')))?.uid).toBe(asking[given.indexOf(true)]?.uid);
  });

  test('stays taken while the project is being deleted, and is free with the last confirmation', async () => {
    const first = newProject(tenant('a'));
    await projects.add(first);
    expect(await remove(first.tenant)).toMatchObject({ isNewlyDeleted: true });
    expect(await remove(first.tenant)).toMatchObject({ isNewlyDeleted: false });
    expect(await projects.add(newProject(tenant('a')))).toBe(false);
    expect(await projects.find(tenant('a'))).toMatchObject({ uid: first.uid, isBeingDeleted: true });
    expect(await projects.list()).toEqual([]);
    await projects.confirmErasure(first.uid, 'episodic');
    expect(await projects.find(tenant('a'))).toBeUndefined();
    expect(await remove(tenant('a'))).toBeUndefined();
    expect(await projects.add(newProject(tenant('a')))).toBe(true);
  });

  test('a late confirmation of the former project does not touch its successor, nor one that exists', async () => {
    const [former, successor] = [newProject(tenant('a')), newProject(tenant('a'))];
    await projects.add(former);
    await projects.confirmErasure(former.uid, 'episodic');
    expect(await projects.list()).toEqual([tenant('a')]);
    await remove(tenant('a'));
    await projects.confirmErasure(former.uid, 'episodic');
    await projects.add(successor);
    await projects.confirmErasure(former.uid, 'episodic');
    expect(await projects.find(tenant('a'))).toMatchObject({ uid: successor.uid, isBeingDeleted: false });
  });

  test('of many that delete at once one is the first', async () => {
    await projects.add(newProject(tenant('a')));
    const marked = await Promise.all(Array.from({ length: 8 }, () => remove(tenant('a'))));
    expect(marked.filter((each) => each?.isNewlyDeleted)).toHaveLength(1);
  });
});

test('a list has the projects by organization, then name, of one organization if asked', async () => {
  for (const owner of [tenant('b', 'z'), tenant('b', 'a'), tenant('a', 'z')])
    await projects.add(newProject(owner));
  expect(await projects.list()).toEqual([tenant('b', 'a'), tenant('a', 'z'), tenant('b', 'z')]);
  expect(await projects.list({ orgId: 'z' })).toEqual([tenant('a', 'z'), tenant('b', 'z')]);
  expect(await projects.list({ orgId: 'nobody' })).toEqual([]);
  expect(await projects.list({ orgId: 'z', projectId: 'a' })).toEqual([tenant('a', 'z')]);
});

test('the users of a model are the projects that exist and were created with it', async () => {
  const using = (owner: Tenant, embedder: string): NewProject => {
    const project = newProject(owner);
    return { ...project, models: { ...project.models, embedder } };
  };
  for (const project of [using(tenant('a'), 'x'), using(tenant('b'), 'y'), using(tenant('c'), 'x')]) {
    await projects.add(project);
  }
  await remove(tenant('c'));
  expect(await projects.listUsing('embedder', 'x', 10)).toEqual([tenant('a')]);
  expect(await projects.listUsing('reranker', 'x', 10)).toEqual([]);
});

describe('deletions that were not confirmed', () => {
  const ageAll = (): Promise<unknown> =>
    testDatabase.query(`UPDATE config.projects SET announced_at = now() - interval '1 hour'`);

  test('are taken once they have waited, and again only after waiting as long again', async () => {
    const [deleted, open] = [newProject(tenant('a')), newProject(tenant('b'))];
    for (const project of [deleted, open]) await projects.add(project);
    await remove(deleted.tenant);
    expect(await takeUnconfirmed()).toEqual([]);
    await ageAll();
    expect(await takeUnconfirmed()).toEqual([deleted.uid]);
    expect(await takeUnconfirmed()).toEqual([]);
    await ageAll();
    expect(await takeUnconfirmed()).toEqual([deleted.uid]);
  });

  test('are never taken by two at once', async () => {
    for (const name of ['a', 'b', 'c']) {
      await projects.add(newProject(tenant(name)));
      await remove(tenant(name));
    }
    await ageAll();
    const taken = await unitOfWork.run(async (tx) => {
      const mine = await projects.takeUnconfirmed(MINUTE_MS, 2, tx);
      return [mine.map(({ uid }) => uid), await takeUnconfirmed()];
    });
    expect(taken.map(({ length }) => length)).toEqual([2, 1]);
    expect(new Set(taken.flat()).size).toBe(3);
  });
});

describe('what clients were told of a project', () => {
  const MANY = 2_500;

  /** A deleted project with many events, and as many deliveries of them, as they are before the last confirmation. */
  async function deletedWithMany(): Promise<NewProject> {
    const project = newProject(tenant('told'));
    await projects.add(project);
    const webhook = uuidv7();
    const position = `(SELECT coalesce(max(position), 0) FROM config.notifications) + n`;
    const each = `FROM generate_series(1, ${MANY}) AS n`;
    await testDatabase.query(
      `INSERT INTO config.webhooks (id, org_id, project_uid, url, description, secret, position)
       VALUES ('${webhook}', 'acme', '${project.uid}', 'https://example.com', '', 'x', 0)`,
    );
    await testDatabase.query(
      `INSERT INTO config.webhook_deliveries (webhook_id, position, event_id, type, status, attempts, duration_ms)
       SELECT '${webhook}', n, gen_random_uuid(), 'deletion.done', 'delivered', 1, 1 ${each}`,
    );
    await testDatabase.query(
      `INSERT INTO config.notifications (position, id, type, at, org_id, project_uid, data)
       SELECT ${position}, gen_random_uuid(), 'deletion.done', now(), 'acme', '${project.uid}', '{}' ${each}`,
    );
    await remove(project.tenant);
    return project;
  }

  /** Has statements fail that remove more rows than that at once. */
  async function failAbove(rows: number): Promise<void> {
    await testDatabase.query(
      `CREATE OR REPLACE FUNCTION config.refuse_many() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF (SELECT count(*) FROM gone) > ${rows} THEN RAISE EXCEPTION 'too many at once'; END IF;
         RETURN NULL; END $$`,
    );
    for (const table of ['notifications', 'webhook_deliveries']) {
      await testDatabase.query(
        `CREATE OR REPLACE TRIGGER refuse_many AFTER DELETE ON config.${table} REFERENCING OLD TABLE AS gone
         FOR EACH STATEMENT EXECUTE FUNCTION config.refuse_many()`,
      );
    }
  }

  afterEach(() => testDatabase.query('DROP FUNCTION config.refuse_many() CASCADE'));

  const left = async (): Promise<number[]> => {
    const counts = await testDatabase.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM config.notifications
       UNION ALL SELECT count(*)::int FROM config.webhook_deliveries`,
    );
    return counts.map(({ count }) => count);
  };

  test('goes in steps before the project does', async () => {
    const { uid } = await deletedWithMany();
    await failAbove(1_000);
    await projects.confirmErasure(uid, 'episodic');
    expect(await projects.find(tenant('told'))).toBeUndefined();
    expect(await left()).toEqual([0, 0]);
  });

  test('and is not gone yet leaves the confirmation as it is; a repeated one goes on', async () => {
    const { uid } = await deletedWithMany();
    await failAbove(0);
    await expect(projects.confirmErasure(uid, 'episodic')).rejects.toThrow();
    expect(await testDatabase.query('SELECT pending_erasures FROM config.projects')).toEqual([
      { pending_erasures: [] },
    ]);
    await testDatabase.query(`UPDATE config.projects SET announced_at = now() - interval '1 hour'`);
    expect(await takeUnconfirmed()).toEqual([uid]);
    await failAbove(1_000);
    await projects.confirmErasure(uid, 'episodic');
    expect(await projects.find(tenant('told'))).toBeUndefined();
    expect(await left()).toEqual([0, 0]);
  });
});
