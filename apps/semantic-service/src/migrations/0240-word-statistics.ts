import { createWordStatistics } from '@loci/indexing';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';
import { ownerOf } from './0010-row-security.js';

/** How rare a word is depends on the texts of its set alone. */
export class WordStatistics1763700000240 implements MigrationInterface {
  readonly name = 'WordStatistics1763700000240';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createWordStatistics(runner, {
      schema: SCHEMA,
      owners: 'sets',
      tenant: ownerOf('sets', 'owner_uid'),
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE ${SCHEMA}.word_statistics`);
  }
}
