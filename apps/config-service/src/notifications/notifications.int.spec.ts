import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Notification, notification, notificationsRecorded } from '@loci/contracts';
import { Database, Outbox, ROWS_OF_ALL, runMigrations, sql, UnitOfWork } from '@loci/persistence';
import { loadEnv } from '@loci/platform';
import { RecordingLogger, TestDatabase } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { SCHEMA } from '../database.js';
import { ENTITIES } from '../entities.js';
import { ConfigServiceEnv } from '../env.js';
import { MEMORY_DEFAULTS } from '../memory-configuration/memory-defaults.js';
import { MIGRATIONS } from '../migrations/migrations.js';
import { resolveProjectConfig } from '../projects/project-config.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { LAST_NOTIFICATION } from './last-notification.sql.js';
import { LIST_NOTIFICATIONS } from './list-notifications.sql.js';
import { NotificationsRepository } from './notifications.repository.js';
import { NotificationsService } from './notifications.service.js';

const HOUR_MS = 60 * 60 * 1000;

let testDatabase: TestDatabase;
let database: Database;
let unitOfWork: UnitOfWork;
let projects: ProjectsRepository;
let notifications: NotificationsService;

beforeAll(async () => {
  testDatabase = await TestDatabase.create();
  const options = { url: testDatabase.url, schema: SCHEMA, entities: ENTITIES };
  await runMigrations({ ...options, migrations: [...MIGRATIONS] });
  const logger = new RecordingLogger();
  database = await Database.connect({ ...options, poolSize: 8 }, logger);
  unitOfWork = new UnitOfWork(database);
  projects = new ProjectsRepository(unitOfWork);
  const env = loadEnv(ConfigServiceEnv, { DATABASE_URL: 'x', NATS_URL: 'x', LOCI_SECRET_KEYS: 'x' });
  const outbox = new Outbox(options, unitOfWork, logger);
  notifications = new NotificationsService(new NotificationsRepository(unitOfWork), unitOfWork, outbox, env);
});

afterAll(async () => {
  await database.onApplicationShutdown();
  await testDatabase.drop();
});

async function addProject(orgId: string, projectId: string): Promise<string> {
  const uid = uuidv7();
  const config = resolveProjectConfig(undefined, MEMORY_DEFAULTS.episodic.longTerm);
  const models = { embedder: '', reranker: '', revision: 0 };
  await projects.add({ uid, tenant: { orgId, projectId }, description: '', config, models });
  return uid;
}

const done = (orgId: string, projectUid?: string): Notification =>
  notification(uuidv7(), 'deletion.done', { orgId, projectUid }, { job_id: 'j', deleted: 1 });

const idsOf = async (within: object, after = 0): Promise<string[]> => {
  const page = await notifications.list({ within, ofDeployment: false, after, limit: 100 });
  return page.notifications.map(({ id }) => id);
};

test('what is raised is recorded once, in a sequence that only grows, also by many at once', async () => {
  const projectUid = await addProject('sequence', 'main');
  const raised = Array.from({ length: 4 }, () => done('sequence', projectUid));
  await Promise.all([...raised, ...raised].map((one) => notifications.record([one])));
  const { notifications: found } = await notifications.list({
    within: { orgId: 'sequence', projectId: 'main' },
    ofDeployment: false,
    after: 0,
    limit: 100,
  });
  expect(found.map(({ id }) => id).sort()).toEqual(raised.map(({ id }) => id).sort());
  const positions = found.map(({ position }) => position);
  expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));
});

test('bounds show what lies within them, and gateways hear where that is', async () => {
  const [main, side] = [await addProject('bounds', 'main'), await addProject('bounds', 'side')];
  const raised = [done('bounds', main), done('bounds', side), done('bounds'), done('others')];
  await notifications.record(raised);
  const [ofMain, ofSide, ofBounds] = raised.map(({ id }) => id);
  expect(await idsOf({ orgId: 'bounds' })).toEqual([ofMain, ofSide, ofBounds]);
  expect(await idsOf({ orgId: 'bounds', projectId: 'main' })).toEqual([ofMain]);
  const told = sql({
    text: `SELECT payload FROM ${SCHEMA}.outbox WHERE subject = $1 ORDER BY id DESC LIMIT 1`,
    row: { payload: 'jsonb' },
  });
  const [row] = await unitOfWork.execute(told, [notificationsRecorded.subject]);
  const { recorded } = row?.payload as { recorded: unknown[] };
  expect(recorded).toHaveLength(4);
  expect(recorded).toEqual(
    expect.arrayContaining([{ orgId: 'bounds', projectId: 'side' }, { orgId: 'others' }]),
  );
});

test('what is of a project goes with it', async () => {
  const projectUid = await addProject('erased', 'main');
  await notifications.record([done('erased', projectUid)]);
  await unitOfWork.run((tx) =>
    projects.markDeleted({ orgId: 'erased', projectId: 'main' }, ['episodic'], tx),
  );
  expect(await idsOf({ orgId: 'erased' })).toEqual([]);
  await notifications.record([done('erased', projectUid)]);
  await projects.confirmErasure(projectUid, 'episodic');
  const left = sql({
    text: `SELECT id FROM ${SCHEMA}.notifications WHERE org_id = 'erased'`,
    row: { id: 'uuid' },
  });
  expect(await unitOfWork.execute(left, [], { scope: ROWS_OF_ALL })).toEqual([]);
});

test('who asks for more than is kept, or for what is still to come, learns of the gap', async () => {
  await notifications.record([done('gap')]);
  const ask = (after: number) =>
    notifications.list({ within: { orgId: 'gap' }, ofDeployment: false, after, limit: 100 });
  expect((await ask((Date.now() - 169 * HOUR_MS) * 1_000)).isGap).toBe(true);
  const { position } = await ask(0);
  expect(await ask(position)).toEqual({ notifications: [], position, isGap: false });
  expect(await ask((Date.now() + HOUR_MS) * 1_000)).toEqual({ notifications: [], position, isGap: true });
});

test('who hears of nothing for long moves on', async () => {
  const ask = (after: number) =>
    notifications.list({ within: { orgId: 'quiet' }, ofDeployment: false, after, limit: 100 });
  const { position } = await ask((Date.now() - 169 * HOUR_MS) * 1_000);
  await notifications.record([done('quiet')]);
  const page = await ask(position);
  expect([page.isGap, page.notifications.length]).toEqual([false, 1]);
});

describe('two organizations that call a project alike', () => {
  const [LARGE, SMALL] = ['alike-large', 'alike-small'];
  const shared = { projectId: 'shared' };
  const own = done(SMALL);
  let ofSmall: Notification;

  beforeAll(async () => {
    const [large, small] = [await addProject(LARGE, 'shared'), await addProject(SMALL, 'shared')];
    const others = await addProject(SMALL, 'others');
    ofSmall = done(SMALL, small);
    await notifications.record([done(LARGE, large), own, ofSmall]);
    await notifications.record(Array.from({ length: 3_000 }, () => done(SMALL, others)));
    await testDatabase.query('ANALYZE config.notifications');
    await testDatabase.query('ANALYZE config.projects');
  });

  test('hear each of its own', async () => {
    expect(await idsOf({ orgId: SMALL, ...shared })).toEqual([ofSmall.id]);
    expect(await idsOf({ orgId: LARGE, ...shared })).toHaveLength(1);
    expect(await idsOf({ orgId: 'alike-none', ...shared })).toEqual([]);
    expect(await idsOf(shared)).toEqual([]);
  });

  test.each([
    ['what follows', LIST_NOTIFICATIONS, [0, 100]],
    ['the last one', LAST_NOTIFICATION, []],
  ])('%s is read by project, whatever else there is', async (_, { text }, values) => {
    const rows = await testDatabase.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, [
      SMALL,
      shared.projectId,
      false,
      ...values,
    ]);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('notifications_of_project');
    expect(plan).not.toMatch(/Seq Scan on notifications|notifications_of_organization|notifications_pkey/);
  });
});
