import { buildIndex } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const NAME = 'api_keys_ending';

/** Keys that have expired are looked for, to be revoked. */
export class EndingKeys1763700000321 implements MigrationInterface {
  readonly name = 'EndingKeys1763700000321';
  readonly transaction = false;

  up(runner: QueryRunner): Promise<void> {
    const definition = '(expires_at) WHERE revoked_at IS NULL AND expires_at IS NOT NULL';
    return buildIndex(runner, { schema: SCHEMA, table: 'api_keys', name: NAME, definition });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${SCHEMA}.${NAME}`);
  }
}
