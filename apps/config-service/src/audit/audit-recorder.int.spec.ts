import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type AuditRecord, type AuditRecordList, recordAuditLater } from '@loci/contracts';
import { type DeadLetter, DeadLetterSink, parseShape, type ReceivedMessage } from '@loci/messaging';
import { Database, runMigrations, UnitOfWork } from '@loci/persistence';
import { loadEnv } from '@loci/platform';
import { auditRecord, RecordingLogger, TestDatabase } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { SCHEMA } from '../database.js';
import { ENTITIES } from '../entities.js';
import { ConfigServiceEnv } from '../env.js';
import { MIGRATIONS } from '../migrations/migrations.js';
import { AuditLog } from './audit-log.js';
import { AuditRecorder } from './audit-recorder.js';
import { AuditRepository } from './audit.repository.js';

class Letters extends DeadLetterSink {
  readonly stored: DeadLetter[] = [];

  override store(letter: DeadLetter): Promise<void> {
    this.stored.push(letter);
    return Promise.resolve();
  }
}

let testDatabase: TestDatabase;
let database: Database;
let audit: AuditRepository;
let log: AuditLog;
let letters: Letters;
let recorder: AuditRecorder;

beforeAll(async () => {
  testDatabase = await TestDatabase.create();
  const { url } = testDatabase;
  await runMigrations({ url, schema: SCHEMA, migrations: MIGRATIONS });
  const logger = new RecordingLogger();
  database = await Database.connect({ url, schema: SCHEMA, entities: ENTITIES }, logger);
  audit = new AuditRepository(new UnitOfWork(database));
  const secrets = `test:${Buffer.alloc(32).toString('base64')}`;
  const env = loadEnv(ConfigServiceEnv, { DATABASE_URL: url, NATS_URL: 'x', LOCI_SECRET_KEYS: secrets });
  log = new AuditLog(env, audit);
});

beforeEach(() => {
  letters = new Letters();
  const runner = { run: () => ({ stop: () => Promise.resolve() }) };
  recorder = new AuditRecorder(runner, log, audit, letters, new RecordingLogger());
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const record = (fields: object = {}): object => ({
  ...auditRecord({ id: uuidv7(), orgId: 'acme' }),
  ...fields,
});

/** As it comes from the message store. */
const message = (...records: readonly object[]): ReceivedMessage<AuditRecordList> => ({
  id: uuidv7(),
  payload: parseShape(recordAuditLater.payload, JSON.parse(JSON.stringify({ records }))),
  deliveries: 1,
  publishedAt: new Date(),
  causes: [],
  scope: { requestId: 'r' },
});

const actorsOf = async (): Promise<string[]> =>
  (await audit.list({ within: {}, limit: 100 })).map(({ actor }: AuditRecord) => actor);

test.each([
  ['PostgreSQL has no such text', { actor: 'bad\0' }],
  ['half a character', { requestId: '\ud800' }],
  ['a number that does not fit', { status: 9_999_999_999 }],
  ['it is no record', { actorKind: 'demon' }],
])('a record that cannot be stored is dead-lettered alone: %s', async (what, fault) => {
  const bad = record({ actor: 'bad', ...fault });
  const first = message(record({ actor: `${what} 1` }), bad, record({ actor: `${what} 2` }));
  const second = message(record({ actor: `${what} 3` }));
  await recorder.record([first, second]);
  await recorder.record([first, second]);
  const stored = (await actorsOf()).filter((actor) => actor.startsWith(what)).sort();
  expect(stored).toEqual([`${what} 1`, `${what} 2`, `${what} 3`]);
  expect(letters.stored).toHaveLength(2);
  for (const { messageId, payload, consumer } of letters.stored) {
    expect({ messageId, consumer }).toEqual({ messageId: `${first.id}#1`, consumer: 'config-service-audit' });
    expect(JSON.parse(payload)).toEqual({ records: [JSON.parse(JSON.stringify(bad))] });
  }
});

test('of several callers at once, only the one whose record is refused hears of it', async () => {
  const given = (fields: object) => [record(fields) as AuditRecord];
  const results = await Promise.allSettled([
    log.append(given({ actor: 'before' })),
    log.append(given({ actor: 'good 1' })),
    log.append(given({ actor: 'bad\0' })),
    log.append(given({ actor: 'good 2' })),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(await actorsOf()).toEqual(expect.arrayContaining(['before', 'good 1', 'good 2']));
});

test('of many messages at once, no statement appends more than one transaction of the chain should have', async () => {
  const sizes: number[] = [];
  const counting = {
    append: (records: readonly AuditRecord[]) => {
      sizes.push(records.length);
      return log.append(records);
    },
  } as AuditLog;
  const runner = { run: () => ({ stop: () => Promise.resolve() }) };
  const counted = new AuditRecorder(runner, counting, audit, letters, new RecordingLogger());
  const of = (actor: string) => Array.from({ length: 400 }, () => record({ actor }));
  await counted.record([message(...of('many')), message(...of('many')), message(...of('many'))]);
  expect(sizes).toEqual([500, 500, 200]);
  const { records } = await testDatabase
    .query<{ records: string }>(`SELECT count(*) AS records FROM config.audit WHERE actor = 'many'`)
    .then(([row]) => row ?? { records: '0' });
  expect(Number(records)).toBe(1_200);
});
