import { buildIndex } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** Messages that could not be taken in are tried again whether or not the quota of sets has room. */
export class FailedMessages1763700000343 implements MigrationInterface {
  readonly name = 'FailedMessages1763700000343';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const [schema, table] = [SCHEMA, 'messages_without_set'];
    await runner.query(
      `ALTER TABLE ${schema}.${table} ADD COLUMN IF NOT EXISTS has_failed boolean NOT NULL DEFAULT false`,
    );
    const definition = '(org_id, refused_at) WHERE has_failed';
    await buildIndex(runner, { schema, table, name: 'messages_without_set_failed', definition });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${SCHEMA}.messages_without_set DROP COLUMN has_failed`);
  }
}
