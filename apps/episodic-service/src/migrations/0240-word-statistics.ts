import { createWordStatistics } from '@loci/indexing';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** How rare a word is depends on the texts of its project alone. */
export class WordStatistics1763700000240 implements MigrationInterface {
  readonly name = 'WordStatistics1763700000240';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createWordStatistics(runner, {
      schema: SCHEMA,
      owners: 'projects',
      tenant: 'owner_uid::text',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE ${SCHEMA}.word_statistics`);
  }
}
