import { enableRowSecurity, inTransaction } from '@loci/persistence';
import { type QueryRunner } from 'typeorm';
import { type IndexVersionTables } from '../index-versions/index-version.tables.js';

/**
 * Makes the table that says how often words are in the texts of each owner, for a migration outside of a transaction. All owners
 * that are there are counted when a worker next looks; new ones can come while they are listed.
 */
export async function createWordStatistics(runner: QueryRunner, tables: IndexVersionTables): Promise<void> {
  const { schema, owners } = tables;
  const [there] = (await runner.query('SELECT FROM pg_class WHERE oid = to_regclass($1)', [
    `${schema}.word_statistics`,
  ])) as unknown[];
  if (!there) await inTransaction(runner, () => createTable(runner, tables));
  await inTransaction(runner, () =>
    runner.query(`
      INSERT INTO ${schema}.word_statistics (owner_uid, due_at) SELECT uid, now() FROM ${schema}.${owners}
      ON CONFLICT DO NOTHING`),
  );
}

async function createTable(
  runner: QueryRunner,
  { schema, owners, tenant }: IndexVersionTables,
): Promise<void> {
  await runner.query(`
    CREATE TABLE ${schema}.word_statistics (
      owner_uid uuid CONSTRAINT word_statistics_pkey PRIMARY KEY
        CONSTRAINT word_statistics_owner_uid_fkey REFERENCES ${schema}.${owners} (uid) ON DELETE CASCADE,
      -- grows whenever they are counted
      revision  int NOT NULL DEFAULT 0,
      -- texts that were counted, and in how many of them each term is
      texts     int NOT NULL DEFAULT 0,
      terms     bytea,
      -- rows that came or changed since
      changed   int NOT NULL DEFAULT 0,
      due_at    timestamptz
    ) WITH (fillfactor = 80)`);
  await runner.query(
    `CREATE INDEX word_statistics_due ON ${schema}.word_statistics (due_at) WHERE due_at IS NOT NULL`,
  );
  await enableRowSecurity(runner, { schema, table: 'word_statistics', tenant });
}
