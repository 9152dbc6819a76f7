import { buildIndex } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** A set that is removed takes its dead letters along; without an index by set, each reads those of all organizations. */
export class DeadLettersOfSet1763700000331 implements MigrationInterface {
  readonly name = 'DeadLettersOfSet1763700000331';
  readonly transaction = false;

  up(runner: QueryRunner): Promise<void> {
    return buildIndex(runner, {
      schema: SCHEMA,
      table: 'ingestion_dead_letters',
      name: 'ingestion_dead_letters_of_set',
      definition: '(set_uid)',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${SCHEMA}.ingestion_dead_letters_of_set`);
  }
}
