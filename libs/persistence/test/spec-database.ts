import { HealthChecks, Metrics } from '@loci/platform';
import type pg from 'pg';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { Database } from '../src/database/database.js';
import { type PersistenceOptions } from '../src/database/persistence-options.js';
import { UnitOfWork } from '../src/database/unit-of-work.js';
import { createDeadLetterTable } from '../src/dead-letters/dead-letters.table.js';
import { createIdempotencyTable } from '../src/idempotency/idempotency.table.js';
import { createWorkLeaseTable } from '../src/lease/work-leases.table.js';
import { runMigrations } from '../src/migrations/run-migrations.js';
import { partitionOutbox } from '../src/outbox/outbox-partitions.js';
import { createOutboxTable } from '../src/outbox/outbox.table.js';
import { createUnfinishedDeliveriesTable } from '../src/unfinished-deliveries/unfinished-deliveries.table.js';
import { RecordingLogger, TestDatabase } from '@loci/testing';

const SCHEMA = 'spec';

class Tables1700000000000 implements MigrationInterface {
  readonly name = 'Tables1700000000000';

  async up(runner: QueryRunner): Promise<void> {
    await createOutboxTable(runner, SCHEMA);
    await partitionOutbox(runner, SCHEMA);
    await createIdempotencyTable(runner, SCHEMA);
    await createDeadLetterTable(runner, SCHEMA);
    await createWorkLeaseTable(runner, SCHEMA);
    await createUnfinishedDeliveriesTable(runner, SCHEMA);
    await runner.query(`CREATE TABLE ${SCHEMA}.notes (id integer PRIMARY KEY, text text NOT NULL)`);
  }

  async down(): Promise<void> {
    // nothing goes back
  }
}

const MIGRATIONS = [Tables1700000000000];

/** A database of one test file, with the tables of this library and one for notes, dropped at its end. */
export class SpecDatabase {
  readonly schema = SCHEMA;
  readonly migrations = MIGRATIONS;
  readonly logger = new RecordingLogger();
  readonly metrics = new Metrics('spec');
  readonly health = new HealthChecks();
  private readonly opened: Database[] = [];

  private constructor(private readonly database: TestDatabase) {}

  /** @param adminUrl another PostgreSQL than that of the integration tests */
  static async create(adminUrl?: string): Promise<SpecDatabase> {
    const database = await TestDatabase.create(adminUrl);
    await runMigrations({ url: database.url, schema: SCHEMA, migrations: MIGRATIONS });
    return new SpecDatabase(database);
  }

  get url(): string {
    return this.database.url;
  }

  get options(): PersistenceOptions {
    return { url: this.url, schema: SCHEMA, entities: [], poolSize: 8 };
  }

  /** Connections as a process has them. */
  async open(options: Partial<PersistenceOptions> = {}): Promise<UnitOfWork> {
    const database = await Database.connect({ ...this.options, ...options }, this.logger);
    this.opened.push(database);
    return new UnitOfWork(database);
  }

  /** One statement on a connection of its own. */
  query<Row extends pg.QueryResultRow>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return this.database.query(sql, parameters);
  }

  async drop(): Promise<void> {
    for (const database of this.opened) await database.close();
    await this.database.drop();
  }
}
