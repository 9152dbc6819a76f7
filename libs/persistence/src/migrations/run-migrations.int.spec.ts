import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SpecDatabase } from '../../test/spec-database.js';
import { eventually } from '@loci/testing';
import { buildIndex } from './built-index.js';
import { runMigrations } from './run-migrations.js';

class First1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE raced.things (id integer)`);
    await runner.query(`SELECT pg_sleep(0.2)`);
  }

  async down(): Promise<void> {
    // nothing goes back
  }
}

class Second1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`INSERT INTO raced.things VALUES (1)`);
  }

  async down(): Promise<void> {
    // nothing goes back
  }
}

class Broken1700000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`INSERT INTO raced.things VALUES (2)`);
    await runner.query(`SELECT 1 / 0`);
  }

  async down(): Promise<void> {
    // nothing goes back
  }
}

/** Builds an index once another process waits for its turn. */
class Indexed1700000000004 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await eventually(async () => (await database.query(WAITING_FOR_ITS_TURN)).length > 0, {
      what: 'another that waits',
    });
    await buildIndex(runner, { schema: 'raced', table: 'things', name: 'things_by_id', definition: '(id)' });
  }

  async down(): Promise<void> {
    // nothing goes back
  }
}

class Altered1700000000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE raced.things ADD COLUMN note text`);
  }

  async down(): Promise<void> {
    // nothing goes back
  }
}

const WAITING_FOR_ITS_TURN = `
  SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%advisory_lock%'`;

const names = ['First1700000000001', 'Second1700000000002'];
const migrations = [Second1700000000002, First1700000000001];

let database: SpecDatabase;

beforeAll(async () => {
  database = await SpecDatabase.create();
});

afterAll(() => database.drop());

test('several at once: each migration is applied once, sorted by time', async () => {
  const options = { url: database.url, schema: 'raced', migrations };
  const applied = await Promise.all([1, 2, 3].map(() => runMigrations(options)));
  expect(applied.filter(({ length }) => length > 0)).toEqual([names]);
  expect(await database.query(`SELECT count(*)::int AS count FROM raced.things`)).toEqual([{ count: 1 }]);
  expect(await database.query(`SELECT name FROM raced.migrations ORDER BY id`)).toEqual(
    names.map((name) => ({ name })),
  );
});

test('a migration that fails leaves nothing of itself, and the ones before it', async () => {
  const options = { url: database.url, schema: 'raced', migrations: [...migrations, Broken1700000000003] };
  await expect(runMigrations(options)).rejects.toThrow(/division by zero/);
  expect(await database.query(`SELECT id FROM raced.things`)).toEqual([{ id: 1 }]);
  expect(await runMigrations({ ...options, migrations })).toEqual([]);
});

test('schemas of one database do not share their lists', async () => {
  expect(await runMigrations({ url: database.url, schema: 'other', migrations: [] })).toEqual([]);
  expect(await database.query(`SELECT name FROM spec.migrations`)).toEqual([{ name: 'Tables1700000000000' }]);
});

test('an index is built in use while another process waits for its turn', async () => {
  const options = { url: database.url, schema: 'raced', migrations: [...migrations, Indexed1700000000004] };
  const applied = await Promise.all([runMigrations(options), runMigrations(options)]);
  expect(applied.flat()).toEqual(['Indexed1700000000004']);
});

test('a migration gives way while a table is read, as by a backup, and is applied after that', async () => {
  const reader = new pg.Client({ connectionString: database.url });
  await reader.connect();
  try {
    await reader.query('BEGIN');
    await reader.query('SELECT FROM raced.things');
    const waited: unknown[] = [];
    const options = { url: database.url, schema: 'raced', onWaiting: (error: unknown) => waited.push(error) };
    const running = runMigrations({ ...options, migrations: [...migrations, Altered1700000000005] });
    await eventually(() => waited.length > 0, { what: 'it gives way' });
    await database.query('SELECT FROM raced.things');
    await reader.query('COMMIT');
    expect(await running).toEqual(['Altered1700000000005']);
  } finally {
    await reader.end();
  }
});
