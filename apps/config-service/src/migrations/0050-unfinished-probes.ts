import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** How often a process ended in the middle of the probe of a resource. */
export class UnfinishedProbes1763700000050 implements MigrationInterface {
  readonly name = 'UnfinishedProbes1763700000050';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE ${SCHEMA}.resources ADD COLUMN unfinished_probes integer NOT NULL DEFAULT 0`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${SCHEMA}.resources DROP COLUMN unfinished_probes`);
  }
}
