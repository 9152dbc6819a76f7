import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const UNFINISHED = `${SCHEMA}.ingestion_unfinished`;

/** A long message is read on in parts of the size that the model could read. */
export class PartSizes1763700000260 implements MigrationInterface {
  readonly name = 'PartSizes1763700000260';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${UNFINISHED} ADD COLUMN part_tokens integer`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${UNFINISHED} DROP COLUMN part_tokens`);
  }
}
