import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** A key may speak for one producer alone. */
export class KeyProducers1763700000090 implements MigrationInterface {
  readonly name = 'KeyProducers1763700000090';

  async up(runner: QueryRunner): Promise<void> {
    // NULL: for any
    await runner.query(`ALTER TABLE ${SCHEMA}.api_keys ADD COLUMN producer text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${SCHEMA}.api_keys DROP COLUMN producer`);
  }
}
