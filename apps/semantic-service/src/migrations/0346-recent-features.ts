import { buildIndex } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** Each batch that something was learned from counted all that is known of its subjects. */
export class RecentFeatures1763700000346 implements MigrationInterface {
  readonly name = 'RecentFeatures1763700000346';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, {
      schema: SCHEMA,
      table: 'features',
      name: 'features_recent',
      definition: '(set_uid, subject, updated_at, uid) WHERE deleted_at IS NULL',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${SCHEMA}.features_recent`);
  }
}
