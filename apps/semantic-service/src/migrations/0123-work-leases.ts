import { createWorkLeaseTable } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** Work that ended its process is found, whether it has a row of its own or not. */
export class WorkLeases1763700000123 implements MigrationInterface {
  readonly name = 'WorkLeases1763700000123';

  async up(runner: QueryRunner): Promise<void> {
    await createWorkLeaseTable(runner, SCHEMA);
    await runner.query(
      `CREATE INDEX index_spaces_unfinished ON ${SCHEMA}.index_spaces (unfinished) WHERE unfinished > 1`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${SCHEMA}.index_spaces_unfinished`);
    await runner.query(`DROP TABLE ${SCHEMA}.work_leases`);
  }
}
