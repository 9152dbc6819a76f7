import { enableRowSecurity, replacePrimaryKey } from '@loci/persistence';
import { type QueryRunner } from 'typeorm';

export interface IndexVersionTables {
  readonly schema: string;
  /** The table of owners, in that schema. */
  readonly owners: string;
  /** What the tenant of an index version is called, as in `enableRowSecurity`. */
  readonly tenant: string;
}

/** Makes the tables that say where the vectors of each owner are, for a migration. */
export async function createIndexVersionTables(
  runner: QueryRunner,
  { schema, owners, tenant }: IndexVersionTables,
): Promise<void> {
  await runner.query(`
    CREATE TABLE ${schema}.index_collections (
      fingerprint text PRIMARY KEY,
      dimensions  int NOT NULL
    )`);
  await runner.query(`
    CREATE TABLE ${schema}.index_spaces (
      uid         uuid PRIMARY KEY,
      owner_uid   uuid NOT NULL REFERENCES ${schema}.${owners} (uid) ON DELETE CASCADE,
      fingerprint text NOT NULL REFERENCES ${schema}.index_collections (fingerprint),
      dimensions  int NOT NULL,
      -- its name in the registry
      embedder    text NOT NULL,
      state       text NOT NULL CHECK (state IN ('active', 'building', 'retiring')),
      changed_at  timestamptz NOT NULL DEFAULT now(),
      -- of the worker that builds it; also the end of a pause
      lease_until timestamptz,
      -- rows to re-embed, and those that are re-embedded
      items       int NOT NULL DEFAULT 0,
      carried     int NOT NULL DEFAULT 0,
      problem     text
    )`);
  for (const state of ['active', 'building']) {
    await runner.query(
      `CREATE UNIQUE INDEX index_spaces_${state} ON ${schema}.index_spaces (owner_uid) WHERE state = '${state}'`,
    );
  }
  await runner.query(`CREATE INDEX index_spaces_owner ON ${schema}.index_spaces (owner_uid)`);
  await runner.query(`CREATE INDEX index_spaces_fingerprint ON ${schema}.index_spaces (fingerprint)`);
  await runner.query(
    `CREATE INDEX index_spaces_changing ON ${schema}.index_spaces (changed_at) WHERE state <> 'active'`,
  );
  await enableRowSecurity(runner, { schema, table: 'index_spaces', tenant });
}

/** Lets the lease of an index version tell one worker from the next, and count those that died, for a migration. */
export async function addIndexVersionFences(runner: QueryRunner, schema: string): Promise<void> {
  await runner.query(`
    ALTER TABLE ${schema}.index_spaces
      ADD COLUMN fence bigint NOT NULL DEFAULT 0, ADD COLUMN unfinished integer NOT NULL DEFAULT 0`);
}

export async function dropIndexVersionFences(runner: QueryRunner, schema: string): Promise<void> {
  await runner.query(`ALTER TABLE ${schema}.index_spaces DROP COLUMN fence, DROP COLUMN unfinished`);
}

/**
 * Lets the index versions of an owner be on the server of its rows, for a migration outside of a transaction: there is one for
 * each owner, and the key is built while they are in use.
 */
export async function keyIndexVersionsByOwner(runner: QueryRunner, schema: string): Promise<void> {
  await replacePrimaryKey(runner, { schema, table: 'index_spaces', columns: 'owner_uid, uid' });
  await runner.query(`DROP INDEX IF EXISTS ${schema}.index_spaces_owner`);
}

export async function keyIndexVersionsByUid(runner: QueryRunner, schema: string): Promise<void> {
  await runner.query(`
    ALTER TABLE ${schema}.index_spaces
      DROP CONSTRAINT index_spaces_pkey, ADD CONSTRAINT index_spaces_pkey PRIMARY KEY (uid)`);
  await runner.query(`CREATE INDEX index_spaces_owner ON ${schema}.index_spaces (owner_uid)`);
}

/** Lets the workers share one comparison of each collection, which goes on where it was, for a migration. */
export async function addComparisonProgress(runner: QueryRunner, schema: string): Promise<void> {
  await runner.query(`
    ALTER TABLE ${schema}.index_collections
      ADD COLUMN compare_at     timestamptz NOT NULL DEFAULT now(),
      ADD COLUMN comparing_from uuid,
      ADD COLUMN differs        boolean NOT NULL DEFAULT false,
      ADD COLUMN compared_at    timestamptz`);
}

export async function dropComparisonProgress(runner: QueryRunner, schema: string): Promise<void> {
  await runner.query(`
    ALTER TABLE ${schema}.index_collections
      DROP COLUMN compare_at, DROP COLUMN comparing_from, DROP COLUMN differs, DROP COLUMN compared_at`);
}
