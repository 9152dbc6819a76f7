import { beforeAll, describe, expect, test } from '@jest/globals';
import { checkHealth, reportsAsked } from '@loci/contracts';
import { eventually, type Loci, natsLogin } from '@loci/testing';
import { connect, errors, type NatsConnection } from '@nats-io/transport-node';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { withDatabase } from '../harness/database.js';
import { product } from './product.js';

let loci: Loci;

beforeAll(async () => {
  loci = await product();
});

type User = Parameters<Loci['natsUrlOf']>[0];

async function asUser<T>(user: User, work: (nats: NatsConnection) => Promise<T>): Promise<T> {
  const nats = await connect({ ...natsLogin(await loci.natsUrlOf(user)), reconnect: false });
  try {
    return await work(nats);
  } finally {
    await nats.close();
  }
}

/** So long a refusal may take on a busy machine; what is not refused and not answered takes as long. */
const TIMEOUT_MS = 15_000;

/** @returns whether the server refuses a request of this user there; a request without a responder is not refused */
const isRefusedToAsk = (user: User, subject: string): Promise<boolean> =>
  asUser(user, (nats) => nats.request(subject, '{}', { timeout: TIMEOUT_MS }).then(() => false, isViolation));

/** @returns whether the server refuses that this user listens there */
const isRefusedToHear = (user: User, subject: string): Promise<boolean> =>
  asUser(user, async (nats) => {
    const subscription = nats.subscribe(subject, { callback: () => undefined });
    const ended = subscription.closed.then((error) => isViolation(error));
    await nats.flush();
    subscription.unsubscribe();
    return ended;
  });

const makingStreamsOf = (user: 'config' | 'episodic' | 'semantic'): [User, string][] =>
  ['CREATE', 'UPDATE'].flatMap((action) =>
    ['EVT', 'WORK'].map((kind): [User, string] => [
      user,
      `$JS.API.STREAM.${action}.${kind}_${user.toUpperCase()}`,
    ]),
  );

const isViolation = (error: unknown): boolean =>
  error instanceof errors.PermissionViolationError ||
  (error instanceof Error && error.cause instanceof errors.PermissionViolationError);

test('the credentials of the servers are for the owner of the data folder alone', async () => {
  for (const file of ['credentials.json', 'nats/nats.conf', 'qdrant/qdrant.yaml']) {
    expect((await stat(join(loci.dataDir, file))).mode & 0o777).toBe(0o600);
  }
});

test('a client without credentials is refused by NATS, Qdrant and PostgreSQL', async () => {
  const { servers } = natsLogin(await loci.natsUrlOf('gateway'));
  await expect(connect({ servers, reconnect: false })).rejects.toThrow(/authorization/i);
  const { url } = await loci.qdrant();
  expect((await fetch(`${url}/collections`)).status).toBe(401);
  for (const role of ['loci', 'loci_migrate', 'loci_config', 'postgres']) {
    const database = new URL(await loci.databaseUrlOf('migrate'));
    database.username = role;
    database.password = 'loci';
    const entered = withDatabase(database.href, () => Promise.resolve());
    await expect(entered).rejects.toThrow('password authentication failed');
  }
});

describe('with the credentials of one service, at NATS', () => {
  test.each<[User, string]>([
    ['gateway', 'evt.config.v1.api-keys.changed'],
    ['gateway', 'evt.episodic.v1.episodes.added'],
    ['gateway', 'work.semantic.v1.set.ingest'],
    ['gateway', 'rpc.config.v1.project.ensure'],
    ['gateway', '_INBOX.episodic.guess'],
    ['gateway', '$JS.API.STREAM.CREATE.WORK_CONFIG'],
    ['gateway', '$JS.API.STREAM.INFO.EVT_EPISODIC'],
    ['episodic', 'evt.config.v1.projects.deleted'],
    ['episodic', 'rpc.config.v1.api-key.create'],
    ['episodic', 'rpc.semantic.v1.feature.list'],
    ['episodic', '$JS.API.STREAM.PURGE.EVT_EPISODIC'],
    ['episodic', '$JS.API.STREAM.DELETE.EVT_EPISODIC'],
    ['episodic', '$JS.API.CONSUMER.MSG.NEXT.WORK_SEMANTIC.semantic-worker-ingest'],
    ['semantic', 'evt.episodic.v1.episodes.added'],
    ['semantic', 'rpc.episodic.v1.episode.add'],
    ['semantic', '$JS.API.STREAM.UPDATE.EVT_EPISODIC'],
    ['config', 'evt.semantic.v1.sets.configured'],
    ['config', 'rpc.episodic.v1.episode.list'],
  ])('%s may not publish %s', async (user, subject) => {
    expect(await isRefusedToAsk(user, subject)).toBe(true);
  });

  test.each<[User, string]>([
    ['gateway', 'rpc.config.v1.api-key.create'],
    ['gateway', 'rpc.>'],
    ['gateway', 'evt.episodic.v1.episodes.added'],
    ['gateway', '_INBOX.>'],
    ['gateway', '_INBOX.config.>'],
    ['gateway', '>'],
    ['episodic', 'rpc.config.>'],
    ['episodic', 'work.semantic.>'],
    ['episodic', '$JS.API.>'],
    ['semantic', '_INBOX.gateway.>'],
    ['config', 'evt.episodic.v1.episodes.added'],
  ])('%s may not listen to %s', async (user, subject) => {
    expect(await isRefusedToHear(user, subject)).toBe(true);
  });

  /** NATS does not look into these requests: a stream may publish again, and a consumer deliver, under any subject. */
  test.each<[User, string]>([
    ...(['config', 'episodic', 'semantic'] as const).flatMap((user) => makingStreamsOf(user)),
    ['config', '$JS.API.CONSUMER.CREATE.WORK_CONFIG.config-service-audit.work.config.v1.audit.record'],
    [
      'episodic',
      '$JS.API.CONSUMER.CREATE.WORK_EPISODIC.episodic-worker-purge.work.episodic.v1.episodes.purge',
    ],
    ['semantic', '$JS.API.CONSUMER.CREATE.WORK_SEMANTIC.semantic-worker-ingest.work.semantic.v1.set.ingest'],
    ['semantic', '$JS.API.CONSUMER.DURABLE.CREATE.WORK_SEMANTIC.semantic-worker-ingest'],
    ['semantic', '$JS.API.CONSUMER.CREATE.WORK_SEMANTIC.mine'],
    ['semantic', '$JS.API.CONSUMER.DELETE.WORK_SEMANTIC.semantic-worker-ingest'],
    ['streams', 'evt.config.v1.projects.deleted'],
    ['streams', 'rpc.config.v1.api-key.create'],
    ['streams', '$JS.API.CONSUMER.MSG.NEXT.EVT_CONFIG.episodic-worker-erase'],
    ['streams', '$JS.API.STREAM.CREATE.MINE'],
  ])('%s may not make, change or read by %s', async (user, subject) => {
    expect(await isRefusedToAsk(user, subject)).toBe(true);
  });

  test('what the server answers to the subject of an operation is no request', async () => {
    await asUser('semantic', async (nats) => {
      nats.publish('evt.semantic.v1.nothing', '{}', { reply: 'rpc.config.v1.api-key.create' });
      await nats.flush();
    });
    const { ports } = await loci.process('config-service');
    const metrics = `http://127.0.0.1:${String(ports['http'])}/metrics`;
    const refused = /rpc_server_requests_total\{operation="rpc.config.v1.api-key.create",result="no_request"/;
    await eventually(async () => refused.test(await (await fetch(metrics)).text()), {
      what: 'it is counted as none',
    });
  });

  /** The server answers with permissions of its own, and an empty answer is a whole request to purge a stream. */
  test('no service purges a stream by way of an answer of the server', async () => {
    const purge = '$JS.API.STREAM.PURGE.EVT_CONFIG';
    await asUser('operator', async (operator) => {
      const calls: string[] = [];
      operator.subscribe('$JS.EVENT.ADVISORY.API', { callback: (_, call) => void calls.push(call.string()) });
      await operator.flush();
      await asUser('semantic', async (nats) => {
        const fetch = '$JS.API.CONSUMER.MSG.NEXT.EVT_EPISODIC.semantic-worker-intake';
        nats.publish(fetch, '{', { reply: purge });
        await nats.flush();
      });
      const answer = (): string | undefined => calls.find((call) => call.includes(purge));
      await eventually(() => answer() !== undefined, { what: 'JetStream was asked to purge' });
      expect(answer()).toContain('stream purge not permitted');
    });
  });

  /** A service hears the signals that it tells, and so can have itself asked anything, with any subject for its answer. */
  test.each<[User, string]>([
    ['episodic', 'rpc.config.v1.api-key.create'],
    ['semantic', 'evt.config.v1.projects.deleted'],
    ['config', '_INBOX.gateway.episodic.guess.1'],
  ])('%s may not publish %s as an answer to itself', async (user, subject) => {
    const isRefused = await asUser(user, async (nats) => {
      const heard = new Promise((resolve) => {
        nats.subscribe(reportsAsked.subject, {
          callback: (_, { reply }) => {
            if (reply === subject) resolve(reply);
          },
        });
      });
      nats.publish(reportsAsked.subject, '{}', { reply: subject });
      await heard;
      return nats.request(subject, '{}', { timeout: TIMEOUT_MS }).then(() => false, isViolation);
    });
    expect(isRefused).toBe(true);
  });

  test.each<[User, string]>([
    ['episodic', '_INBOX.gateway.config.guess.1'],
    ['semantic', '_INBOX.gateway.episodic.guess.1'],
    ['config', '_INBOX.gateway.semantic.guess.1'],
    ['config', '_INBOX.episodic.guess'],
  ])('%s may not answer for another at %s', async (user, subject) => {
    expect(await isRefusedToAsk(user, subject)).toBe(true);
  });

  /** It hears answers in the inbox of the driver: an update fails none of its requests. */
  test('a gateway of the version before is answered', async () => {
    const request = JSON.stringify({ pattern: checkHealth('config').subject, id: '1', data: {} });
    const answer = await asUser('gateway', (nats) => nats.request(checkHealth('config').subject, request));
    expect(answer.json()).toMatchObject({ id: '1', isDisposed: true });
  });

  test('what a service needs is not refused', async () => {
    expect(await isRefusedToAsk('gateway', 'rpc.config.v1.health.check')).toBe(false);
    expect(await isRefusedToHear('gateway', 'evt.config.v1.api-keys.changed')).toBe(false);
    expect(await isRefusedToHear('gateway', '_INBOX.gateway.>')).toBe(false);
    const consumer = 'EVT_EPISODIC.semantic-worker-intake';
    expect(await isRefusedToAsk('semantic', `$JS.API.CONSUMER.INFO.${consumer}`)).toBe(false);
    expect(await isRefusedToAsk('streams', '$JS.API.STREAM.INFO.EVT_CONFIG')).toBe(false);
  });
});

test("with the role of one service, another one's tables cannot be read", async () => {
  await withDatabase(await loci.databaseUrlOf('episodic'), async (database) => {
    await database.query('SELECT 1 FROM episodic.episodes LIMIT 1');
    for (const table of ['config.api_keys', 'config.resources', 'semantic.features']) {
      await expect(database.query(`SELECT 1 FROM ${table}`)).rejects.toThrow('permission denied for schema');
    }
  });
});
