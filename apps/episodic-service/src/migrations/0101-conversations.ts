import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';
import { UNKNOWN_CONVERSATION } from '../episodes/conversations.js';

/** Neighbours are of one conversation. What is there already gets its conversation by the worker, little by little. */
export class Conversations1763700000101 implements MigrationInterface {
  readonly name = 'Conversations1763700000101';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE ${SCHEMA}.episodes ADD COLUMN conversation uuid NOT NULL DEFAULT '${UNKNOWN_CONVERSATION}'`,
    );
    await runner.query(
      `CREATE INDEX episodes_in_conversation ON ${SCHEMA}.episodes (project_uid, conversation, created_at, uid)
       WHERE in_long_term AND deleted_at IS NULL`,
    );
    await runner.query(
      `CREATE INDEX episodes_without_conversation ON ${SCHEMA}.episodes (added_at)
       WHERE conversation = '${UNKNOWN_CONVERSATION}'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${SCHEMA}.episodes DROP COLUMN conversation`);
  }
}
