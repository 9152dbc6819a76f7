import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { event, notFound } from '@loci/contracts';
import { ConsumerModule, ConsumerRunner, EVT_CONFIG, NatsModule } from '@loci/messaging';
import { HealthChecks, PlatformModule } from '@loci/platform';
import { eventually } from '@loci/testing';
import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IsInt } from 'class-validator';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { OutboxRelayModule } from '../outbox-relay.module.js';
import { Outbox } from '../outbox/outbox.js';
import { type SchemaMigrations } from '../migrations/migrations-options.js';
import { runMigrations } from '../migrations/run-migrations.js';
import { SchemaOutdatedError } from '../migrations/schema-outdated.error.js';
import { SpecDatabase } from '../../test/spec-database.js';
import { PersistenceModule } from '../persistence.module.js';
import { Database } from './database.js';
import { UnitOfWork } from './unit-of-work.js';

class Numbered {
  @IsInt()
  readonly n!: number;
}

const noted = event('config', 'module-spec.noted', Numbered);
const consumer = {
  name: 'module-spec-consumer',
  stream: EVT_CONFIG,
  subject: noted.subject,
  ackWaitMs: 30_000,
  maxAckPending: 10,
};

let database: SpecDatabase;

beforeAll(async () => {
  database = await SpecDatabase.create();
});

afterAll(() => database.drop());

/** The modules of a service, as its worker has them. */
const startProcess = (
  migrations: SchemaMigrations['migrations'] = database.migrations,
): Promise<INestApplicationContext> =>
  NestFactory.createApplicationContext(
    {
      module: class Worker {},
      imports: [
        PlatformModule.forRoot({ service: 'spec', level: 'silent' }),
        NatsModule.forRoot({ url: process.env['NATS_URL'] ?? '', name: 'module-spec' }),
        PersistenceModule.forRoot({ ...database.options, migrations }),
        OutboxRelayModule,
        ConsumerModule,
      ],
    },
    { logger: false },
  );

test('a message goes from its transaction to its handler; one that cannot be handled to the dead letters', async () => {
  const worker = await startProcess();
  const handled: number[] = [];
  worker.get(ConsumerRunner).run(consumer, noted, (messages) => {
    const numbers = messages.map(({ payload }) => payload.n);
    if (numbers.includes(2)) throw notFound('project_not_found', 'gone');
    handled.push(...numbers);
    return Promise.resolve();
  });
  const outbox = worker.get(Outbox);
  await worker.get(UnitOfWork).run(async (tx) => {
    for (const n of [1, 2, 3]) await outbox.append(tx, noted, { n });
  });
  outbox.wake();

  const letters = `SELECT payload::json ->> 'n' AS n, reason FROM spec.dead_letters WHERE consumer = $1`;
  await eventually(async () => (await database.query(letters, [consumer.name])).length > 0, {
    what: 'the one is given up',
  });
  await eventually(() => handled.length === 2, { what: 'the others are handled' });
  expect(await database.query(letters, [consumer.name])).toEqual([
    { n: '2', reason: 'project_not_found: gone' },
  ]);
  expect(handled.sort()).toEqual([1, 3]);
  expect(await worker.get(HealthChecks).failing()).toEqual([]);
  await worker.close();
});

test('a process that was closed has no connection', async () => {
  const worker = await startProcess();
  const connections = `SELECT 1 FROM pg_stat_activity WHERE application_name LIKE 'loci-spec%' AND datname = current_database()`;
  expect((await database.query(connections)).length).toBeGreaterThan(0);
  await worker.close();
  await eventually(async () => (await database.query(connections)).length === 0, { what: 'all are closed' });
});

test('a process waits for the migrations of its version before it takes requests', async () => {
  class Later1700000000001 implements MigrationInterface {
    async up(runner: QueryRunner): Promise<void> {
      await runner.query('CREATE TABLE spec.later (id integer)');
    }

    async down(): Promise<void> {
      // nothing goes back
    }
  }
  const migrations = [...database.migrations, Later1700000000001];
  const { url, schema } = database;
  let hasStarted = false;
  const starting = startProcess(migrations).finally(() => (hasStarted = true));
  const looks = `SELECT FROM pg_stat_activity WHERE datname = current_database()
    AND application_name = 'loci-spec' AND query LIKE '%migrations%'`;
  await eventually(async () => (await database.query(looks)).length > 0, {
    what: 'it looks for its migrations',
  });
  expect(hasStarted).toBe(false);
  await runMigrations({ url, schema, migrations });
  await (await starting).close();
});

test('a process whose schema stays behind ends, and says which migrations are missing', async () => {
  class Never1700000000002 implements MigrationInterface {
    async up(): Promise<void> {
      // is not applied
    }

    async down(): Promise<void> {
      // nothing goes back
    }
  }
  const { schema } = database;
  const connected = await Database.connect(database.options, database.logger);
  try {
    const waiting = connected.waitForMigrations({ schema, migrations: [Never1700000000002] }, 300);
    await expect(waiting).rejects.toThrow(SchemaOutdatedError);
    await expect(waiting).rejects.toThrow('Never1700000000002');
  } finally {
    await connected.close();
  }
});
