import { createDeadLetterTable, createIdempotencyTable, createOutboxTable } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

export class Projects1763700000001 implements MigrationInterface {
  readonly name = 'Projects1763700000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ${SCHEMA}.projects (
        uid              uuid PRIMARY KEY,
        org_id           text NOT NULL,
        project_id       text NOT NULL,
        description      text NOT NULL,
        config           jsonb NOT NULL,
        created_at       timestamptz NOT NULL DEFAULT now(),
        -- a deleted project keeps its name until every holder of its data has erased them
        deleted_at       timestamptz,
        announced_at     timestamptz,
        pending_erasures text[] NOT NULL DEFAULT '{}',
        CONSTRAINT projects_name UNIQUE (org_id, project_id)
      )`);
    await runner.query(
      `CREATE INDEX projects_being_deleted ON ${SCHEMA}.projects (announced_at) WHERE deleted_at IS NOT NULL`,
    );
    await createOutboxTable(runner, SCHEMA);
    await createIdempotencyTable(runner, SCHEMA);
    await createDeadLetterTable(runner, SCHEMA);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP SCHEMA ${SCHEMA} CASCADE`);
  }
}
