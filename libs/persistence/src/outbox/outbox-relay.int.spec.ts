import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { event, unavailable, work } from '@loci/contracts';
import {
  MessagePublisher,
  NatsLink,
  type OutgoingMessage,
  JetStreamTopology,
  type StreamDeclaration,
} from '@loci/messaging';
import { RequestContext } from '@loci/platform';
import { eventually } from '@loci/testing';
import {
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
} from '@nats-io/jetstream';
import { entityManager } from '../database/transaction.js';
import { type UnitOfWork } from '../database/unit-of-work.js';
import { SpecDatabase } from '../../test/spec-database.js';
import { OutboxBatch } from './outbox-batch.js';
import { outboxInsertSql } from './outbox-insert.js';
import { OutboxRelay } from './outbox-relay.js';
import { Outbox } from './outbox.js';
import { RetentionSweeper } from '../retention/retention-sweeper.js';

class Numbered {
  readonly n!: number;
}

const noted = event('episodic', 'outbox-spec.noted', Numbered);
const stream = {
  name: 'OUTBOX_SPEC',
  subjectPrefix: 'evt.episodic.v1.outbox-spec',
  kind: 'events',
  maxBytes: 10_000_000,
} as const;

const workToDo = work('episodic', 'outbox-spec.do', Numbered);
const fullStream = {
  name: 'OUTBOX_SPEC_FULL',
  subjectPrefix: 'work.episodic.v1.outbox-spec',
  kind: 'work',
  maxBytes: 4_096,
} as const;

let database: SpecDatabase;
let unitOfWork: UnitOfWork;
let outbox: Outbox;
let link: NatsLink;
let manager: JetStreamManager;
let publisher: MessagePublisher;
let relays: OutboxRelay[];

beforeAll(async () => {
  database = await SpecDatabase.create();
  unitOfWork = await database.open();
  outbox = new Outbox(database.options, unitOfWork, database.logger);
  link = await NatsLink.connect({ url: process.env['NATS_URL'] ?? '', name: 'outbox-spec' }, database.logger);
  manager = await jetstreamManager(link.connection);
  publisher = new MessagePublisher(
    link,
    new JetStreamTopology(link, database.logger, { streams: [stream, fullStream], replicas: 1 }),
  );
});

afterAll(async () => {
  await Promise.all([removeStream(), removeStream(fullStream)]);
  await link.close();
  await database.drop();
});

beforeEach(async () => {
  relays = [];
  await Promise.all([removeStream(), removeStream(fullStream)]);
  await database.query(`TRUNCATE spec.outbox, spec.notes`);
});

afterEach(() => Promise.all(relays.map((relay) => relay.stop())));

/** Certainly: what an unanswered request left there would count as the next test's. */
const removeStream = ({ name } = stream as Pick<StreamDeclaration, 'name'>): Promise<unknown> =>
  eventually(
    () =>
      manager.streams.delete(name).catch((error: unknown) => {
        if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound)
          return true;
        throw error;
      }),
    { what: 'the stream is gone' },
  );

/** A relay as another replica would run it. */
function startRelay(
  send = (message: OutgoingMessage): Promise<void> => publisher.send(message),
  own: Pick<Outbox, 'tellOwnRelay'> = { tellOwnRelay: () => undefined },
  pollMs?: number,
): OutboxRelay {
  const relay = new OutboxRelay(
    database.options,
    unitOfWork,
    { send } as MessagePublisher,
    database.metrics,
    database.logger,
    own,
  );
  relays.push(relay);
  relay.start(pollMs);
  return relay;
}

async function append(from: number, to = from): Promise<void> {
  await unitOfWork.run(async (tx) => {
    for (let n = from; n <= to; n += 1) await outbox.append(tx, noted, { n });
  });
}

/** The numbers in the stream, in sequence. */
async function sent(): Promise<number[]> {
  const { state } = await manager.streams.info(stream.name);
  const numbers: number[] = [];
  for (let seq = state.first_seq; state.messages > 0 && seq <= state.last_seq; seq += 1) {
    const message = await manager.streams.getMessage(stream.name, { seq });
    numbers.push(message?.json<Numbered>().n ?? NaN);
  }
  return numbers.sort((a, b) => a - b);
}

const unsent = async (): Promise<number> =>
  (await database.query(`SELECT id FROM spec.outbox WHERE sent_at IS NULL`)).length;

const range = (to: number): number[] => Array.from({ length: to }, (_, index) => index + 1);

test('what is committed is sent, what is rolled back never is', async () => {
  startRelay();
  await append(1, 3);
  await expect(
    unitOfWork.run(async (tx) => {
      await outbox.append(tx, noted, { n: 4 });
      throw new Error('undone');
    }),
  ).rejects.toThrow('undone');
  await append(5);
  outbox.wake();
  await eventually(async () => (await unsent()) === 0, { what: 'everything is sent' });
  expect(await sent()).toEqual([1, 2, 3, 5]);
});

test('a message carries the id of its row and the request that caused it', async () => {
  await RequestContext.run({ requestId: 'r-7', traceparent: '00-t', deadlineMs: Date.now() + 1_000 }, () =>
    append(1),
  );
  startRelay();
  await eventually(async () => (await unsent()) === 0, { what: 'it is sent' });
  const [row] = await database.query<{ id: string }>(`SELECT id FROM spec.outbox`);
  const message = await manager.streams.getMessage(stream.name, { seq: 1 });
  const header = (name: string): string | undefined => message?.header.get(name);
  expect([
    header('Nats-Msg-Id'),
    header('x-request-id'),
    header('traceparent'),
    header('x-deadline-ms'),
  ]).toEqual([row?.id, 'r-7', '00-t', '']);
});

test('data and its message are stored by one statement', async () => {
  const { sql, parameters } = outboxInsertSql('spec', noted, { n: 1 }, 2);
  await unitOfWork.single((m) =>
    m.query(`WITH announced AS (${sql}) INSERT INTO spec.notes VALUES ($1, 'x')`, [1, ...parameters]),
  );
  startRelay();
  await eventually(async () => (await unsent()) === 0, { what: 'it is sent' });
  expect(await sent()).toEqual([1]);
});

/** Longer than any test: what is sent before was sent for a wake-up. */
const NEVER_MS = 3_600_000;

async function relayListens(): Promise<void> {
  const isListening = `SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'loci-spec-outbox' AND query LIKE 'LISTEN%'`;
  await eventually(async () => (await database.query(isListening)).length === 1, {
    what: 'the relay listens',
  });
}

test('a wake-up is heard without waiting for the next look', async () => {
  const relay = startRelay(undefined, undefined, NEVER_MS);
  await relayListens();
  for (let n = 1; n <= 5; n += 1) {
    await append(n);
    outbox.wake();
    await eventually(async () => (await unsent()) === 0, { what: 'it is sent' });
  }
  await relay.stop();
});

test('a relay of the same process hears at once, and no other process is woken for it', async () => {
  const own = new Outbox(database.options, unitOfWork, database.logger);
  const { default: pg } = await import('pg');
  const listener = new pg.Client({ connectionString: database.url });
  await listener.connect();
  let heard = 0;
  listener.on('notification', () => (heard += 1));
  await listener.query('LISTEN outbox_spec');
  const relay = startRelay(undefined, own, NEVER_MS);
  for (let n = 1; n <= 5; n += 1) {
    await append(n);
    own.wake();
    await eventually(async () => (await unsent()) === 0, { what: 'it is sent' });
  }
  await listener.query('SELECT 1');
  expect(heard).toBe(0);
  await relay.stop();
  own.wake();
  await eventually(() => heard === 1, { what: 'without its relay the process tells the others' });
  await listener.end();
});

test('without a wake-up a message is found all the same', async () => {
  startRelay();
  await relayListens();
  await append(0);
  await eventually(async () => (await unsent()) === 0, { what: 'the relay is idle' });
  await append(1);
  await eventually(async () => (await unsent()) === 0, { what: 'it is found' });
});

test('many wake-ups become few notifications', async () => {
  const { default: pg } = await import('pg');
  const listener = new pg.Client({ connectionString: database.url });
  await listener.connect();
  let heard = 0;
  listener.on('notification', () => (heard += 1));
  await listener.query('LISTEN outbox_spec');
  const until = performance.now() + 200;
  while (performance.now() < until) {
    outbox.wake();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await eventually(() => heard > 0, { what: 'they are heard' });
  await listener.query('SELECT 1');
  expect(heard).toBeLessThanOrEqual(12);
  await listener.end();
});

test('the relay hears again after its connection was cut', async () => {
  startRelay();
  const cut = async (): Promise<number> =>
    (
      await database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'loci-spec-outbox'`,
      )
    ).length;
  await eventually(async () => (await cut()) === 1, { what: 'its connection is cut' });
  await eventually(async () => (await cut()) === 1, { what: 'it has a new one' });
});

test('relays side by side lose nothing and send nothing twice', async () => {
  const sends = new Map<string, number>();
  for (let n = 0; n < 3; n += 1) {
    startRelay(async (message) => {
      sends.set(message.id, (sends.get(message.id) ?? 0) + 1);
      await publisher.send(message);
    });
  }
  for (let start = 1; start <= 2_000; start += 200) {
    await append(start, start + 199);
    outbox.wake();
  }
  await eventually(async () => (await unsent()) === 0, { what: 'everything is sent' });
  expect([...sends.values()].filter((count) => count > 1)).toEqual([]);
  expect((await manager.streams.info(stream.name)).state.messages).toBe(2_000);
});

test('a relay that dies between sending and marking: the next one sends again, and the stream keeps one', async () => {
  await append(1, 20);
  let sends = 0;
  const dying = new OutboxBatch(
    'spec',
    unitOfWork,
    {
      async send(message) {
        await publisher.send(message);
        sends += 1;
        if (sends < 20) return;
        await database.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE state = 'idle in transaction' AND datname = current_database()`,
        );
      },
    },
    database.logger,
  );
  await expect(dying.relay(256)).rejects.toMatchObject({ code: 'database_unavailable' });
  expect([sends, await unsent()]).toEqual([20, 20]);

  startRelay();
  await eventually(async () => (await unsent()) === 0, { what: 'the next relay has marked them' });
  expect(await sent()).toEqual(range(20));
});

test('what is not confirmed stays and goes again, and does not delay the rest', async () => {
  let failures = 5;
  await append(1, 10);
  startRelay(async (message) => {
    if (message.body.includes('3') && failures > 0) {
      failures -= 1;
      throw unavailable('service_unavailable', 'no ack');
    }
    await publisher.send(message);
  });
  await eventually(async () => (await unsent()) === 1, { what: 'all others are sent' });
  for (let n = 0; n < 6; n += 1) {
    outbox.wake();
    await eventually(async () => failures < 5 - n || (await unsent()) === 0, { what: 'it is tried again' });
  }
  await eventually(async () => (await unsent()) === 0, { what: 'it is sent in the end' });
  expect(await sent()).toEqual(range(10));
});

test('a stream that is full does not hold up what another one takes', async () => {
  const rows = Array.from({ length: 600 }, (_, n) => ({ n }));
  await unitOfWork.run((tx) => outbox.appendAll(tx, workToDo, rows));
  await append(1, 3);
  startRelay(undefined, undefined, NEVER_MS);
  await eventually(async () => (await sent()).length === 3, { what: 'the others are sent' });
  const { state } = await manager.streams.info(fullStream.name);
  expect(state.messages).toBeGreaterThan(0);
  await eventually(async () => (await unsent()) === 600 - state.messages, { what: 'they are marked' });
});

test('a relay that is stopped finishes its batch and leaves the rest', async () => {
  await append(1, 300);
  let release = (): void => undefined;
  let begun = 0;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const relay = startRelay(async (message) => {
    begun += 1;
    await gate;
    await publisher.send(message);
  });
  await eventually(() => begun === 256, { what: 'a batch is being sent' });
  const stopped = relay.stop();
  release();
  await stopped;
  expect([begun, await unsent()]).toEqual([256, 44]);
});

test('the age of the oldest unsent message can be watched', async () => {
  await append(1);
  await database.query(`UPDATE spec.outbox SET created_at = now() - interval '90 seconds'`);
  startRelay(() => Promise.reject(unavailable('service_unavailable', 'down')));
  const age = /outbox_oldest_unsent_seconds\{.*\} ([\d.]+)/.exec(await database.metrics.render())?.[1];
  expect(Number(age)).toBeGreaterThanOrEqual(90);
  expect(Number(age)).toBeLessThan(120);
});

describe('of the partitions of the outbox', () => {
  const sweep = (): Promise<void> =>
    new RetentionSweeper(database.options, unitOfWork, database.logger).sweep();

  /** Adds messages as if so many spans of five minutes had passed since. */
  const addedAgo = (
    spans: number,
    values: { readonly sent: number; readonly unsent?: number },
  ): Promise<unknown> =>
    database.query(
      `INSERT INTO spec.outbox (id, part, subject, payload, headers, sent_at)
       SELECT gen_random_uuid(), ((extract(epoch FROM now())::bigint / 300 + 4 - $1::int) % 4)::smallint, 's', '{}', '{}',
              CASE WHEN n <= $2 THEN now() END
       FROM generate_series(1, $2::int + $3::int) AS n`,
      [spans, values.sent, values.unsent ?? 0],
    );

  const spanNow = async (): Promise<number> => {
    const [row] = await database.query<{ span: number }>(
      'SELECT (extract(epoch FROM clock_timestamp())::bigint / 300)::int AS span',
    );
    return row?.span ?? Number.NaN;
  };

  /** What is done within one span of five minutes: once more where one ended meanwhile, which makes every partition older. */
  const withinOneSpan = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const begun = await spanNow();
    const result = await work();
    return (await spanNow()) === begun ? result : withinOneSpan(work);
  };

  const left = async (): Promise<number> => {
    const [row] = await database.query<{ left: number }>(`SELECT count(*)::int AS left FROM spec.outbox`);
    return row?.left ?? 0;
  };

  /** What is left after each of two sweeps, between which the last message was sent. */
  const sweepTwice = async (): Promise<readonly number[]> => {
    await database.query('TRUNCATE spec.outbox');
    await addedAgo(0, { sent: 3 });
    await addedAgo(1, { sent: 5_000 });
    await addedAgo(2, { sent: 100, unsent: 1 });
    await sweep();
    const first = await left();
    await database.query('UPDATE spec.outbox SET sent_at = now() WHERE sent_at IS NULL');
    await sweep();
    return [first, await left()];
  };

  test('one that is no longer written to is emptied as a whole, once every message in it is sent', async () => {
    const outcome = await withinOneSpan(sweepTwice);
    expect(outcome).toEqual([104, 3]);
  });

  test('one in which a message is being added is left, and emptied with none lost later', async () => {
    await addedAgo(1, { sent: 10 });
    await unitOfWork.run(async (tx) => {
      await entityManager(tx).query(
        `INSERT INTO spec.outbox (id, part, subject, payload, headers)
         SELECT gen_random_uuid(), part, 's', '{}', '{}' FROM spec.outbox LIMIT 1`,
      );
      await sweep();
    });
    await sweep();
    expect(await left()).toBe(11);
  });
});
