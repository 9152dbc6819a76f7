import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type AccessBounds, type ClientEvent, type IssuedWebhook, notification } from '@loci/contracts';
import { KeyRing, SecretBox } from '@loci/models';
import { Database, Idempotency, Outbox, QuotaLimits, runMigrations, UnitOfWork } from '@loci/persistence';
import { loadEnv, Metrics } from '@loci/platform';
import { eventually, RecordingLogger, TestDatabase } from '@loci/testing';
import { Webhook as Verifier } from 'standardwebhooks';
import { v7 as uuidv7 } from 'uuid';
import { SCHEMA } from '../database.js';
import { ENTITIES } from '../entities.js';
import { ConfigServiceEnv } from '../env.js';
import { MEMORY_DEFAULTS } from '../memory-configuration/memory-defaults.js';
import { MIGRATIONS } from '../migrations/migrations.js';
import { NotificationsRepository } from '../notifications/notifications.repository.js';
import { NotificationsService } from '../notifications/notifications.service.js';
import { resolveProjectConfig } from '../projects/project-config.js';
import { LookAlikeNames } from '../names/look-alike-names.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { type ProjectsService } from '../projects/projects.service.js';
import { QuotaUseRepository } from '../quotas/quota-use.repository.js';
import { QuotasService } from '../quotas/quotas.service.js';
import { WebhookChanges } from './webhook-changes.js';
import { WebhookDeliveries } from './webhook-deliveries.js';
import { WebhookSecretRotation } from './webhook-secret-rotation.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookSender } from './webhook-sender.js';
import { WebhookWorkRepository } from './webhook-work.repository.js';
import { WebhooksRepository } from './webhooks.repository.js';
import { WebhooksService } from './webhooks.service.js';

const ALL = { offset: 0, limit: 100 };
const KEYS = `a:${Buffer.alloc(32, 1).toString('base64')}`;
const ENV = {
  DATABASE_URL: 'x',
  NATS_URL: 'x',
  LOCI_SECRET_KEYS: KEYS,
  EGRESS_ALLOW_PRIVATE: 'true',
  WEBHOOK_SWEEP_INTERVAL_MS: '100',
  WEBHOOK_RETRY_MIN_MS: '100',
  WEBHOOK_RETRY_MAX_MS: '100',
  WEBHOOK_TIMEOUT_MS: '60000',
  QUOTA_WEBHOOKS: '12',
};

interface Got {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly event: ClientEvent;
}

/** What a receiver does with what it got; undefined = never answers. */
type Answer = (response: ServerResponse) => void;

let testDatabase: TestDatabase;
let database: Database;
let unitOfWork: UnitOfWork;
let projects: ProjectsRepository;
let notifications: NotificationsService;
let repository: WebhooksRepository;
let work: WebhookWorkRepository;
let outbox: Outbox;
let receiver: Server;
let got: Got[];
let answers: Map<string, Answer>;
let running: WebhookDeliveries[];
let senders: WebhookSender[];
let org: string;
let organizations = 0;

beforeAll(async () => {
  testDatabase = await TestDatabase.create();
  const options = { url: testDatabase.url, schema: SCHEMA, entities: ENTITIES };
  await runMigrations({ ...options, migrations: [...MIGRATIONS] });
  const logger = new RecordingLogger();
  database = await Database.connect({ ...options, poolSize: 8 }, logger);
  unitOfWork = new UnitOfWork(database);
  projects = new ProjectsRepository(unitOfWork);
  outbox = new Outbox(options, unitOfWork, logger);
  notifications = new NotificationsService(
    new NotificationsRepository(unitOfWork),
    unitOfWork,
    outbox,
    loadEnv(ConfigServiceEnv, ENV),
  );
  repository = new WebhooksRepository(unitOfWork);
  work = new WebhookWorkRepository(unitOfWork);
  receiver = createServer((request, response) => void receive(request, response));
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
});

beforeEach(() => {
  got = [];
  answers = new Map();
  running = [];
  senders = [];
  org = `org-${(organizations += 1)}`;
});

afterEach(async () => {
  await Promise.all(running.map((deliveries) => deliveries.onModuleDestroy()));
  await Promise.all(senders.map((sender) => sender.onModuleDestroy()));
  await testDatabase.query('DELETE FROM config.webhooks');
});

afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await database.onApplicationShutdown();
  await testDatabase.drop();
});

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  const path = request.url ?? '';
  const headers = request.headers as Record<string, string>;
  got.push({ path, headers, body, event: JSON.parse(body) as ClientEvent });
  const answer = answers.get(path) ?? ((given: ServerResponse) => given.writeHead(204).end());
  answer(response);
}

const addressOf = (path: string): string =>
  `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`;

const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end('no');

/** A process of the service. */
function serviceWith(changed: Record<string, string> = {}) {
  const env = loadEnv(ConfigServiceEnv, { ...ENV, ...changed });
  const [logger, metrics] = [new RecordingLogger(), new Metrics('spec')];
  const options = { url: testDatabase.url, schema: SCHEMA, entities: ENTITIES, migrations: [] };
  const idempotency = new Idempotency(options, unitOfWork);
  const limits = new QuotaLimits(options, unitOfWork);
  const lookAlikes = new LookAlikeNames(env);
  const use = new QuotaUseRepository(unitOfWork);
  const quotas = new QuotasService(limits, idempotency, use, lookAlikes, env, metrics);
  const secrets = new WebhookSecrets(new SecretBox(KeyRing.parse(env.LOCI_SECRET_KEYS)));
  const sender = new WebhookSender(env);
  senders.push(sender);
  const found = { get: (tenant: Parameters<ProjectsRepository['find']>[0]) => projects.find(tenant) };
  const service = new WebhooksService(
    repository,
    found as unknown as ProjectsService,
    lookAlikes,
    quotas,
    idempotency,
    secrets,
    sender,
  );
  const deliveries = new WebhookDeliveries(
    env,
    work,
    notifications,
    new WebhookChanges(),
    sender,
    secrets,
    unitOfWork,
    outbox,
    logger,
    metrics,
  );
  const start = (): void => {
    running.push(deliveries);
    deliveries.onApplicationBootstrap();
  };
  return { service, deliveries, secrets, logger, start };
}

function started(changed: Record<string, string> = {}) {
  const { service, start, ...rest } = serviceWith(changed);
  start();
  const create = async (path: string, further: object = {}): Promise<IssuedWebhook> => {
    const bounds = { orgId: org };
    const { webhook, secret } = await service.create({
      url: addressOf(path),
      description: '',
      bounds,
      ...further,
    });
    return { ...webhook, secret };
  };
  const statusOf = ({ id }: { id: string }) => service.get({ within: { orgId: org }, id });
  const sentTo = async ({ id }: { id: string }) =>
    (await service.deliveries({ within: { orgId: org }, id }, ALL)).deliveries;
  return { service, create, statusOf, sentTo, ...rest };
}

async function addProject(projectId: string): Promise<string> {
  const uid = uuidv7();
  const config = resolveProjectConfig(undefined, MEMORY_DEFAULTS.episodic.longTerm);
  const models = { embedder: '', reranker: '', revision: 0 };
  await projects.add({ uid, tenant: { orgId: org, projectId }, description: '', config, models });
  return uid;
}

/** Something happens. @returns its id */
async function happen(where: { orgId?: string; projectUid?: string } = { orgId: org }): Promise<string> {
  const one = notification(uuidv7(), 'deletion.done', where, { job_id: 'j', deleted: 1 });
  await notifications.record([one]);
  return one.id;
}

const idsAt = (path: string): string[] => got.filter((one) => one.path === path).map(({ event }) => event.id);

const until = (what: string, condition: () => boolean | Promise<boolean>): Promise<unknown> =>
  eventually(async () => condition(), { what });

describe('what happens reaches a receiver', () => {
  test('in its sequence, signed, and nothing that was before or is of others', async () => {
    const { create, statusOf, sentTo } = started();
    await happen();
    const webhook = await create('/in-sequence');
    const ids = [await happen(), await happen(), await happen()];
    await happen({ orgId: 'another' });
    await happen({});
    await until('all came', () => idsAt('/in-sequence').length === 3);
    expect(idsAt('/in-sequence')).toEqual(ids);
    const [first] = got;
    expect(first?.event).toEqual({
      id: ids[0],
      type: 'deletion.done',
      timestamp: expect.any(String),
      org_id: org,
      data: { job_id: 'j', deleted: 1 },
    });
    expect(first?.headers['webhook-id']).toBe(ids[0]);
    const verifier = new Verifier(webhook.secret ?? '');
    for (const { body, headers } of got)
      expect(verifier.verify(body, headers)).toMatchObject({ type: 'deletion.done' });
    expect(() => verifier.verify(`${first?.body ?? ''} `, first?.headers ?? {})).toThrow();
    await until('it is noted', async () => (await sentTo(webhook)).length === 3);
    expect(await sentTo(webhook)).toMatchObject([
      { eventId: ids[2], status: 'delivered', attempts: 1, httpStatus: 204 },
      { eventId: ids[1] },
      { eventId: ids[0] },
    ]);
    expect(await statusOf(webhook)).toMatchObject({ isEnabled: true, attempts: 0 });
  });

  test('of the types that it wants, of its project alone', async () => {
    const { create } = started();
    const [main, side] = [await addProject('main'), await addProject('side')];
    await create('/types', { types: ['project.deleted'] });
    await create('/project', { bounds: { orgId: org, projectId: 'main' } });
    const ofMain = await happen({ orgId: org, projectUid: main });
    await happen({ orgId: org, projectUid: side });
    const deleted = notification(uuidv7(), 'project.deleted', { orgId: org }, { project_id: 'x' });
    await notifications.record([deleted]);
    await until('both heard', () => idsAt('/types').length > 0 && idsAt('/project').length > 0);
    expect([idsAt('/types'), idsAt('/project')]).toEqual([[deleted.id], [ofMain]]);
  });

  test('once, however many processes there are', async () => {
    const { create } = started();
    for (let more = 0; more < 3; more += 1) started();
    await create('/once');
    const ids: string[] = [];
    for (let index = 0; index < 20; index += 1) ids.push(await happen());
    await until('all came', () => idsAt('/once').length >= 20);
    expect(idsAt('/once')).toEqual(ids);
  });

  test('signed with the former secret, too, while the grace lasts', async () => {
    const { create, service } = started();
    const { id, secret: former = '' } = await create('/rotated');
    const within = { orgId: org };
    const { secret = '' } = await service.rotate({ within, id, graceSeconds: 60 });
    await happen();
    await until('it came', () => got.length === 1);
    for (const one of [former, secret]) new Verifier(one).verify(got[0]?.body ?? '', got[0]?.headers ?? {});
    await service.rotate({ within, id, graceSeconds: 0 });
    await happen();
    await until('the next came', () => got.length === 2);
    expect(() => new Verifier(secret).verify(got[1]?.body ?? '', got[1]?.headers ?? {})).toThrow();
  });
});

describe('a receiver that fails', () => {
  test('gets the same again until it takes it, then what waited behind', async () => {
    const { create, statusOf, sentTo } = started();
    answers.set('/fails', status(500));
    const webhook = await create('/fails');
    const ids = [await happen(), await happen()];
    await until('it was tried again', () => idsAt('/fails').length > 2);
    expect(new Set(idsAt('/fails'))).toEqual(new Set([ids[0]]));
    expect(await statusOf(webhook)).toMatchObject({ lastError: 'The receiver answered HTTP 500.' });
    expect(await sentTo(webhook)).toMatchObject([{ status: 'retrying', httpStatus: 500 }]);
    answers.delete('/fails');
    await until('both were taken', () => idsAt('/fails').includes(ids[1] ?? ''));
    await until('it is well', async () => (await statusOf(webhook)).failingSince === undefined);
    const [, first] = await sentTo(webhook);
    expect(first).toMatchObject({ eventId: ids[0], status: 'delivered' });
    expect(first?.attempts).toBeGreaterThan(2);
  });

  test('is left alone for as long as it asks', async () => {
    const { create, statusOf } = started();
    answers.set('/busy', status(429, { 'retry-after': '3600' }));
    const webhook = await create('/busy');
    await happen();
    await until('it was refused', async () => (await statusOf(webhook)).attempts === 1);
    const { nextAttemptAt = '' } = await statusOf(webhook);
    expect(Date.parse(nextAttemptAt) - Date.now()).toBeGreaterThan(3_500_000);
  });

  test('is not followed elsewhere', async () => {
    const { create, statusOf } = started();
    answers.set('/moved', status(302, { location: addressOf('/elsewhere') }));
    const webhook = await create('/moved');
    await happen();
    await until('it was refused', async () => (await statusOf(webhook)).attempts > 0);
    expect((await statusOf(webhook)).lastError).toMatch(/redirect \(HTTP 302\), which is not followed/);
    expect(idsAt('/elsewhere')).toEqual([]);
  });

  test('and hangs costs other organizations nothing', async () => {
    const { create, statusOf } = started();
    const never: Answer = () => undefined;
    for (let index = 0; index < 8; index += 1) {
      answers.set(`/hangs-${index}`, never);
      await create(`/hangs-${index}`);
    }
    await happen();
    await until('all of them hang', () => got.length === 8);
    const theirs = org;
    org = `${org}-neighbour`;
    const webhook = await create('/quick');
    await happen();
    await until('the neighbour got it', () => idsAt('/quick').length === 1);
    // none of those that hang was given up meanwhile
    expect(got).toHaveLength(9);
    expect((await statusOf(webhook)).attempts).toBe(0);
    org = theirs;
  });

  test('for days is disabled and says so; enabled again, it goes on where it stopped', async () => {
    const { create, service, statusOf } = started();
    answers.set('/down', status(503));
    const webhook = await create('/down');
    const id = await happen();
    await until('it failed', async () => (await statusOf(webhook)).attempts > 0);
    await testDatabase.query(`UPDATE config.webhooks SET failing_since = now() - interval '73 hours'`);
    await until('it is disabled', async () => !(await statusOf(webhook)).isEnabled);
    expect((await statusOf(webhook)).disabledReason).toMatch(/^It has taken nothing since .*HTTP 503\.$/);
    const raised = await testDatabase.query(
      `SELECT payload->>'type' AS type, payload->'data'->>'webhook_id' AS webhook FROM config.outbox
       WHERE payload->>'type' = 'webhook.disabled'`,
    );
    expect(raised).toEqual([{ type: 'webhook.disabled', webhook: webhook.id }]);
    answers.delete('/down');
    const before = got.length;
    await service.update({ within: { orgId: org }, id: webhook.id, isEnabled: true });
    await until('it went on', () => got.length > before);
    expect(got.at(-1)?.event.id).toBe(id);
  });

  test('after it took what it had not taken for days begins anew', async () => {
    const { service, start } = serviceWith({
      WEBHOOK_RETRY_MIN_MS: '60000',
      WEBHOOK_RETRY_MAX_MS: '3600000',
    });
    const within = { orgId: org };
    const { webhook } = await service.create({ url: addressOf('/back'), description: '', bounds: within });
    const ids = [await happen(), await happen()];
    await testDatabase.query(
      `UPDATE config.webhooks SET attempts = 12, failing_since = now() - interval '73 hours'`,
    );
    answers.set('/back', (response) => {
      answers.set('/back', status(503));
      response.writeHead(204).end();
    });
    start();
    const statusNow = () => service.get({ within, id: webhook.id });
    await until('the second one failed', async () => (await statusNow()).lastError !== undefined);
    const { isEnabled, attempts, nextAttemptAt = '' } = await statusNow();
    expect({ isEnabled, attempts, got: idsAt('/back') }).toEqual({ isEnabled: true, attempts: 1, got: ids });
    expect(Date.parse(nextAttemptAt) - Date.now()).toBeLessThan(80_000);
  });

  test('and is gone is disabled at once; skipping what waits begins with what comes', async () => {
    const { create, service, statusOf, sentTo } = started();
    answers.set('/gone', status(410));
    const webhook = await create('/gone');
    const missed = await happen();
    await until('it is disabled', async () => !(await statusOf(webhook)).isEnabled);
    answers.delete('/gone');
    const within = { orgId: org };
    await service.update({ within, id: webhook.id, isEnabled: true, skipsPending: true });
    const next = await happen();
    await until('it got the next', () => idsAt('/gone').includes(next));
    expect(idsAt('/gone')).toEqual([missed, next]);
    await until('it is noted', async () => (await sentTo(webhook)).length === 2);
    expect((await sentTo(webhook)).map((one) => one.status)).toEqual(['delivered', 'dropped']);
  });
});

describe('a change while a delivery is under way', () => {
  /** A receiver that answers when it is told to. @returns how it answers, once it has something */
  async function held(path: string): Promise<(code: number) => void> {
    let asked: ServerResponse | undefined;
    answers.set(path, (response) => {
      asked = response;
      answers.delete(path);
    });
    await happen();
    await until('it is under way', () => asked !== undefined);
    return (code) => asked?.writeHead(code).end();
  }

  const slowToRetry = () => {
    const hour = '3600000';
    const it = started({
      WEBHOOK_RETRY_MIN_MS: hour,
      WEBHOOK_RETRY_MAX_MS: hour,
    });
    const update = ({ id }: IssuedWebhook, change: object) =>
      it.service.update({ within: { orgId: org }, id, ...change });
    return { ...it, update };
  };

  test.each([204, 500])('skips what waits, also when that delivery ends with %i', async (code) => {
    const { create, update, statusOf } = slowToRetry();
    const webhook = await create('/skips');
    const answer = await held('/skips');
    await happen();
    await update(webhook, { skipsPending: true });
    answer(code);
    const next = await happen();
    await until('the next came', () => got.length > 1);
    expect(idsAt('/skips').slice(1)).toEqual([next]);
    expect(await statusOf(webhook)).toMatchObject({ isEnabled: true, attempts: 0 });
  });

  test('has what follows go to the new address alone, and what was under way, too', async () => {
    const { create, update, sentTo } = slowToRetry();
    const webhook = await create('/former');
    const answer = await held('/former');
    const [first] = idsAt('/former');
    const second = await happen();
    await update(webhook, { url: addressOf('/new') });
    answer(204);
    await until('all came', () => idsAt('/new').length === 2);
    expect(idsAt('/new')).toEqual([first, second]);
    expect(idsAt('/former')).toEqual([first]);
    await until('both are noted', async () => (await sentTo(webhook)).length === 2);
    expect((await sentTo(webhook)).map(({ attempts }) => attempts)).toEqual([1, 1]);
  });

  test.each([500, 410])(
    'has no pause and disables nothing, whatever the former address says (%i)',
    async (code) => {
      const { create, update, statusOf, logger } = slowToRetry();
      const webhook = await create('/ill');
      const answer = await held('/ill');
      await update(webhook, { url: addressOf('/well') });
      answer(code);
      await until('it came', () => idsAt('/well').length === 1);
      expect(idsAt('/well')).toEqual(idsAt('/ill'));
      expect(await statusOf(webhook)).toMatchObject({ isEnabled: true, attempts: 0 });
      expect(logger.lines.filter(({ message }) => message === 'a webhook is disabled')).toEqual([]);
    },
  );

  test('to a new secret has it come again, signed with both; the turn that ended is not taken for a death', async () => {
    const { create, service } = slowToRetry();
    const { id, secret: former = '' } = await create('/rotated-meanwhile');
    const answer = await held('/rotated-meanwhile');
    const { secret = '' } = await service.rotate({ within: { orgId: org }, id, graceSeconds: 60 });
    const [row] = await testDatabase.query(`SELECT unfinished FROM config.webhooks WHERE id = '${id}'`);
    expect(row).toEqual({ unfinished: 0 });
    answer(401);
    await until('it came again', () => got.length === 2);
    for (const one of [former, secret]) new Verifier(one).verify(got[1]?.body ?? '', got[1]?.headers ?? {});
    expect(got[1]?.event.id).toBe(got[0]?.event.id);
  });
});

test('many of some organizations do not keep one of another out of the list of what is due', async () => {
  const { service } = serviceWith();
  const organizationsOf = ['busy-1', 'busy-2', 'quiet'].map((name) => `${org}-${name}`);
  for (const [index, orgId] of organizationsOf.entries()) {
    for (let count = index < 2 ? 3 : 1; count > 0; count -= 1) {
      await service.create({ url: addressOf('/due'), description: '', bounds: { orgId } });
    }
    await happen({ orgId });
  }
  const due = await work.due({ perOrganization: 3, limit: 3 });
  expect(due.map(({ orgId }) => orgId)).toEqual(organizationsOf);
});

test('a delivery whose process was killed comes again with the same id', async () => {
  const { service } = serviceWith();
  const request = { url: addressOf('/killed'), description: '', bounds: { orgId: org } };
  const { webhook } = await service.create(request);
  const id = await happen();
  // as a process leaves it that ends between the answer and the note
  expect(await work.claim(webhook.id, 300)).toMatchObject({ id: webhook.id });
  started();
  expect(idsAt('/killed')).toEqual([]);
  await until('the lease ran out', () => idsAt('/killed').length === 1);
  expect(idsAt('/killed')).toEqual([id]);
  expect(got[0]?.headers['webhook-id']).toBe(id);
});

describe('a webhook whose delivery ended its process', () => {
  const NO_LEASE_MS = 1;

  const unfinishedOf = async ({ id }: { id: string }): Promise<Record<string, unknown> | undefined> =>
    (await testDatabase.query(`SELECT unfinished FROM config.webhooks WHERE id = '${id}'`))[0];

  /** As processes leave it that end in the middle of a delivery. */
  async function die(id: string, times: number): Promise<void> {
    for (let death = 0; death < times; death += 1) {
      expect(await work.claim(id, NO_LEASE_MS)).toBeDefined();
      await testDatabase.query(
        `UPDATE config.webhooks SET lease_until = now() - interval '1 s' WHERE id = '${id}'`,
      );
    }
  }

  test('three times in a row is disabled with a reason, and tried again once it is updated', async () => {
    const { service, start } = serviceWith();
    const within = { orgId: org };
    const request = { url: addressOf('/deadly'), description: '', bounds: within };
    const { webhook } = await service.create(request);
    const { webhook: other } = await service.create({ ...request, url: addressOf('/other') });
    const id = await happen();
    await die(webhook.id, 3);
    expect(await work.claim(webhook.id, NO_LEASE_MS)).toBeUndefined();
    expect((await work.due({ perOrganization: 8, limit: 8 })).map((one) => one.id)).toEqual([other.id]);
    start();
    await until('it is disabled', async () => !(await service.get({ within, id: webhook.id })).isEnabled);
    expect((await service.get({ within, id: webhook.id })).disabledReason).toMatch(
      /^Its process ended 3 times in a row/,
    );
    const raised = await testDatabase.query(
      `SELECT count(*)::int AS count FROM config.outbox WHERE payload->>'type' = 'webhook.disabled'
       AND payload->'data'->>'webhook_id' = '${webhook.id}'`,
    );
    expect(raised).toEqual([{ count: 1 }]);
    await until('the other one got it', () => idsAt('/other').length === 1);
    expect(idsAt('/deadly')).toEqual([]);
    await service.update({ within, id: webhook.id, isEnabled: true });
    await until('it got it', () => idsAt('/deadly').length === 1);
    expect(idsAt('/deadly')).toEqual([id]);
    await until('it is counted anew', async () => (await unfinishedOf(webhook))?.['unfinished'] === 0);
  });

  test('twice gets its third try with no other beside it, and is counted anew', async () => {
    const { service, start } = serviceWith();
    const request = { url: addressOf('/suspect'), description: '', bounds: { orgId: org } };
    const { webhook } = await service.create(request);
    await service.create({ ...request, url: addressOf('/innocent') });
    let suspect: ServerResponse | undefined;
    let wasOver: boolean | undefined;
    answers.set('/suspect', (response) => {
      suspect = response;
      setTimeout(() => response.writeHead(204).end(), 300);
    });
    answers.set('/innocent', (response) => {
      wasOver = suspect !== undefined && (suspect.writableEnded || suspect.destroyed);
      response.writeHead(204).end();
    });
    await happen();
    await die(webhook.id, 2);
    start();
    await until('the other one has its turn', () => idsAt('/innocent').length === 1);
    expect(wasOver).toBe(true);
    await until('it is counted anew', async () => (await unfinishedOf(webhook))?.['unfinished'] === 0);
  });
});

test('a process that stops gives its delivery back, uncounted', async () => {
  const { create, statusOf, deliveries } = started();
  answers.set('/stopped', () => undefined);
  const webhook = await create('/stopped');
  await happen();
  await until('it is under way', () => got.length === 1);
  await deliveries.onModuleDestroy();
  expect((await statusOf(webhook)).attempts).toBe(0);
  answers.delete('/stopped');
  started();
  await until('another one delivers', () => got.length === 2);
});

test('the webhooks of a project go with it, and a namesake has none', async () => {
  const { create, service } = started();
  const uid = await addProject('main');
  const bounds = { orgId: org, projectId: 'main' };
  const { id } = await create('/doomed', { bounds });
  await unitOfWork.run((tx) => projects.markDeleted(bounds, ['episodic'], tx));
  await happen({ orgId: org, projectUid: uid });
  const webhooksOf = async (within: AccessBounds) => (await service.list(within, ALL)).total;
  expect(await webhooksOf({ orgId: org })).toBe(0);
  await expect(service.get({ within: {}, id })).rejects.toMatchObject({ code: 'webhook_not_found' });
  await projects.confirmErasure(uid, 'episodic');
  expect(await testDatabase.query('SELECT id FROM config.webhooks')).toEqual([]);
  await addProject('main');
  expect(await webhooksOf(bounds)).toBe(0);
  expect(got).toEqual([]);
});

test('a webhook outside of the bounds is not there, whatever is done with it', async () => {
  const { create, service } = started();
  await Promise.all([addProject('main'), addProject('side')]);
  const ofOrganization = await create('/organization');
  const ofSide = await create('/side', { bounds: { orgId: org, projectId: 'side' } });
  const strangers: [AccessBounds, string][] = [
    [{ orgId: 'another' }, ofOrganization.id],
    [{ orgId: org, projectId: 'main' }, ofOrganization.id],
    [{ orgId: org, projectId: 'main' }, ofSide.id],
    [{ orgId: org }, 'no uuid'],
  ];
  for (const [within, id] of strangers) {
    const request = { within, id };
    for (const attempt of [
      service.get(request),
      service.update({ ...request, isEnabled: false }),
      service.remove(request),
      service.rotate({ ...request, graceSeconds: 0 }),
      service.test(request),
      service.deliveries(request, ALL),
    ]) {
      await expect(attempt).rejects.toMatchObject({ code: 'webhook_not_found' });
    }
  }
  expect((await service.list({ orgId: 'another' }, ALL)).total).toBe(0);
});

describe('without EGRESS_ALLOW_PRIVATE', () => {
  test.each([
    ['http://hooks.acme.example/', /EGRESS_ALLOW_PRIVATE/],
    ['https://10.0.0.1/', /private address/],
    ['https://[::1]/', /private address/],
    ['https://0x7f000001/', /private address/],
    ['https://169.254.169.254/latest', /metadata/],
    ['https://me:secret@hooks.acme.example/', /without credentials/],
    ['ftp://hooks.acme.example/', /http\(s\)/],
    ['nonsense', /http\(s\)/],
    [`https://hooks.acme.example/${'ü'.repeat(400)}`, /at most 2000 characters/],
  ])('%s is refused', async (url, reason) => {
    const { service } = serviceWith({ EGRESS_ALLOW_PRIVATE: 'false' });
    const request = { url, description: '', bounds: { orgId: org } };
    await expect(service.create(request)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(reason),
    });
  });

  test.each([
    ['a name that leads to a private address where something listens', 'localhost', undefined],
    ['one where nothing listens', 'localhost', '2'],
    ['one that is unknown', 'no-such-host.invalid', undefined],
  ])('%s is refused when it is connected to, as any other', async (_, host, ownPort) => {
    const { service } = serviceWith({ EGRESS_ALLOW_PRIVATE: 'false' });
    const port = ownPort ?? String((receiver.address() as AddressInfo).port);
    const url = `https://${host}:${port}/rebound`;
    const { webhook } = await service.create({ url, description: '', bounds: { orgId: org } });
    expect(await service.test({ within: { orgId: org }, id: webhook.id })).toMatchObject({
      isDelivered: false,
      httpStatus: undefined,
      error:
        "The receiver can't be reached: its host name is unknown, or leads to a private address (EGRESS_ALLOW_PRIVATE=true allows these).",
    });
    expect(got).toEqual([]);
  });
});

test('a test is sent once, also to one that is disabled, and changes nothing', async () => {
  const { create, service, statusOf } = started();
  const webhook = await create('/tested');
  const request = { within: { orgId: org }, id: webhook.id };
  await service.update({ ...request, isEnabled: false });
  const result = await service.test(request);
  expect(result).toMatchObject({ isDelivered: true, httpStatus: 204 });
  expect(got[0]?.event).toMatchObject({ id: result.eventId, type: 'webhook.test', org_id: org });
  new Verifier(webhook.secret ?? '').verify(got[0]?.body ?? '', got[0]?.headers ?? {});
  answers.set('/tested', status(500));
  expect(await service.test(request)).toMatchObject({ isDelivered: false, httpStatus: 500 });
  expect(await statusOf(webhook)).toMatchObject({ attempts: 0, isEnabled: false });
});

test.each([
  'HTTP/1.1 099 Odd',
  'HTTP/1.1 600 Odd',
  'HTTP/1.1 20 Odd',
  'HTTP/1.1 101 Odd',
  '220 mail.example',
])('an answer that is not HTTP (%s) is called so in the delivery', async (line) => {
  const { create, statusOf, sentTo } = started();
  const webhook = await create('/odd');
  answers.set('/odd', (response) => response.socket?.end(`${line}\r\n\r\n`));
  await happen();
  await until('it was tried', async () => (await statusOf(webhook)).attempts > 0);
  const [delivery] = await sentTo(webhook);
  expect(delivery?.error).toBe(
    'The receiver answered with something that is not valid HTTP; check the address.',
  );
});

test('an organization that looks like another one gets none, unless it has one since before', async () => {
  const { service } = serviceWith();
  const lookAlike = org.replace('o', '\u043e');
  const create = (orgId: string) =>
    service.create({ url: addressOf('/names'), description: '', bounds: { orgId } });
  await create(org);
  await create(org);
  await expect(create(lookAlike)).rejects.toMatchObject({ code: 'name_confusable' });
  await testDatabase.query(
    `INSERT INTO config.webhooks (id, org_id, url, description, secret, position)
     VALUES (gen_random_uuid(), '${lookAlike}', 'https://example.com', '', 'x', 0)`,
  );
  await create(lookAlike);
});

test('an organization has as many as its quota says, and a repeated request makes no second one', async () => {
  const { service } = serviceWith({ QUOTA_WEBHOOKS: '1' });
  const request = { url: addressOf('/quota'), description: '', bounds: { orgId: org } };
  const idempotency = { key: uuidv7(), fingerprint: 'x' };
  const [first, second] = [
    await service.create({ ...request, idempotency }),
    await service.create({ ...request, idempotency }),
  ];
  expect(second).toEqual({ webhook: first.webhook, secret: undefined });
  await expect(service.create(request)).rejects.toMatchObject({ code: 'quota_exceeded' });
});

test('secrets are stored encrypted, and again with the first key at a start', async () => {
  const { create } = started();
  const { id, secret = '' } = await create('/secret');
  const stored = async () =>
    String((await testDatabase.query('SELECT secret FROM config.webhooks'))[0]?.['secret']);
  const before = await stored();
  expect(before).toMatch(/^sealed:v1:a:/);
  expect(JSON.stringify(await testDatabase.query('SELECT * FROM config.idempotency'))).not.toContain(secret);
  const keys = `b:${Buffer.alloc(32, 2).toString('base64')},${KEYS}`;
  const { secrets, logger } = serviceWith({ LOCI_SECRET_KEYS: keys });
  await new WebhookSecretRotation(work, secrets, logger).onApplicationBootstrap();
  expect(await stored()).toMatch(/^sealed:v1:b:/);
  expect(secrets.open(id, await stored())).toBe(secret);
});

test('one whose secret cannot be read fails as any other, until it gets a new one', async () => {
  const { create, service, statusOf, sentTo } = started();
  const [unreadable, other] = [await create('/unreadable'), await create('/other')];
  await testDatabase.query(`UPDATE config.webhooks SET secret = 'x' WHERE id = '${unreadable.id}'`);
  const id = await happen();
  await until('it was tried again', async () => (await statusOf(unreadable)).attempts > 1);
  const error = 'Its secret cannot be read; rotate it.';
  expect(await statusOf(unreadable)).toMatchObject({ lastError: error, failingSince: expect.any(String) });
  expect(await sentTo(unreadable)).toMatchObject([{ eventId: id, status: 'retrying', error }]);
  const request = { within: { orgId: org }, id: unreadable.id };
  expect(await service.test(request)).toMatchObject({ isDelivered: false, error });
  expect(idsAt('/unreadable')).toEqual([]);
  // the one that cannot be read is the former one then, and its grace lasts
  const { secret = '' } = await service.rotate({ ...request, graceSeconds: 3600 });
  await until('it came', () => idsAt('/unreadable').includes(id));
  const sent = got.find(({ path }) => path === '/unreadable');
  new Verifier(secret).verify(sent?.body ?? '', sent?.headers ?? {});
  await until('the other one got it, too', async () => (await sentTo(other)).length === 1);
});

test('a failing one that gets a new secret is tried again at once', async () => {
  const { create, service, statusOf } = started({
    WEBHOOK_RETRY_MIN_MS: '3600000',
    WEBHOOK_RETRY_MAX_MS: '3600000',
  });
  answers.set('/waits', status(401));
  const webhook = await create('/waits');
  await happen();
  await until('it failed', async () => (await statusOf(webhook)).attempts === 1);
  answers.delete('/waits');
  await service.rotate({ within: { orgId: org }, id: webhook.id, graceSeconds: 0 });
  await until('it is well', async () => (await statusOf(webhook)).attempts === 0);
});
