import { randomBytes } from 'node:crypto';
import { HealthChecks, Metrics } from '@loci/platform';
import pg from 'pg';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { Database } from '../src/database/database.js';
import { type PersistenceOptions } from '../src/database/persistence-options.js';
import { UnitOfWork } from '../src/database/unit-of-work.js';
import { createDeadLetterTable } from '../src/dead-letters/dead-letters.table.js';
import { createIdempotencyTable } from '../src/idempotency/idempotency.table.js';
import { runMigrations } from '../src/migrations/run-migrations.js';
import { createOutboxTable } from '../src/outbox/outbox.table.js';
import { RecordingLogger } from '@loci/testing';

const SCHEMA = 'spec';

class Tables1700000000000 implements MigrationInterface {
  readonly name = 'Tables1700000000000';

  async up(runner: QueryRunner): Promise<void> {
    await createOutboxTable(runner, SCHEMA);
    await createIdempotencyTable(runner, SCHEMA);
    await createDeadLetterTable(runner, SCHEMA);
    await runner.query(`CREATE TABLE ${SCHEMA}.notes (id integer PRIMARY KEY, text text NOT NULL)`);
  }

  async down(): Promise<void> {
    // nothing goes back
  }
}

/** A database of one test file, with the tables of this library and one for notes, dropped at its end. */
export class SpecDatabase {
  readonly schema = SCHEMA;
  readonly logger = new RecordingLogger();
  readonly metrics = new Metrics('spec');
  readonly health = new HealthChecks();
  private readonly opened: Database[] = [];

  private constructor(
    private readonly adminUrl: string,
    private readonly name: string,
  ) {}

  /** @param adminUrl a role that may create databases */
  static async create(adminUrl = process.env['DATABASE_URL'] ?? ''): Promise<SpecDatabase> {
    const database = new SpecDatabase(adminUrl, `spec_${randomBytes(6).toString('hex')}`);
    await database.asAdmin(`CREATE DATABASE ${database.name}`);
    await runMigrations({ url: database.url, schema: SCHEMA, migrations: [Tables1700000000000] });
    return database;
  }

  get url(): string {
    const url = new URL(this.adminUrl);
    url.pathname = `/${this.name}`;
    return url.href;
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
  async query<Row extends pg.QueryResultRow>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url, options: '-c loci.scope=*' });
    await client.connect();
    try {
      return (await client.query<Row>(sql, parameters)).rows;
    } finally {
      await client.end();
    }
  }

  async drop(): Promise<void> {
    for (const database of this.opened) await database.close();
    await this.asAdmin(`DROP DATABASE ${this.name} WITH (FORCE)`);
  }

  private async asAdmin(sql: string): Promise<void> {
    const client = new pg.Client({ connectionString: this.adminUrl });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  }
}
