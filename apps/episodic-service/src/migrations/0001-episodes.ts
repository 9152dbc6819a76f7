import { createDeadLetterTable, createIdempotencyTable, createOutboxTable } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

export class Episodes1763700000001 implements MigrationInterface {
  readonly name = 'Episodes1763700000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ${SCHEMA}.projects (
        uid                uuid PRIMARY KEY,
        org_id             text NOT NULL,
        project_id         text NOT NULL,
        state              text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'erasing', 'erased')),
        enabled            boolean NOT NULL DEFAULT true,
        long_term_enabled  boolean NOT NULL DEFAULT true,
        short_term_enabled boolean NOT NULL DEFAULT true,
        changed_at         timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(
      `CREATE UNIQUE INDEX projects_open_name ON ${SCHEMA}.projects (org_id, project_id) WHERE state = 'open'`,
    );
    await runner.query(`
      CREATE TABLE ${SCHEMA}.episodes (
        uid             uuid PRIMARY KEY,
        project_uid     uuid NOT NULL REFERENCES ${SCHEMA}.projects (uid),
        content         text NOT NULL,
        producer_id     text NOT NULL,
        producer_role   text NOT NULL,
        produced_for_id text NOT NULL,
        metadata        jsonb NOT NULL,
        created_at      timestamptz NOT NULL,
        added_at        timestamptz NOT NULL DEFAULT now(),
        in_short_term   boolean NOT NULL,
        in_long_term    boolean NOT NULL,
        is_semantic     boolean NOT NULL,
        -- a tombstone: invisible to every reader, removed once its vector is
        deleted_at      timestamptz,
        indexed_at      timestamptz,
        -- when indexing was last ordered by the sweeper
        ordered_at      timestamptz
      )`);
    await runner.query(`CREATE INDEX episodes_in_order ON ${SCHEMA}.episodes (project_uid, created_at, uid)`);
    await runner.query(`
      CREATE INDEX episodes_without_vector ON ${SCHEMA}.episodes (project_uid, added_at)
      WHERE indexed_at IS NULL AND in_long_term AND deleted_at IS NULL`);
    await runner.query(`
      CREATE INDEX episodes_waiting ON ${SCHEMA}.episodes (added_at)
      WHERE indexed_at IS NULL AND in_long_term AND deleted_at IS NULL`);
    await runner.query(
      `CREATE INDEX episodes_tombstones ON ${SCHEMA}.episodes (deleted_at) WHERE deleted_at IS NOT NULL`,
    );
    await createOutboxTable(runner, SCHEMA);
    await createIdempotencyTable(runner, SCHEMA);
    await createDeadLetterTable(runner, SCHEMA);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP SCHEMA ${SCHEMA} CASCADE`);
  }
}
