import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const CONSOLIDATIONS = `${SCHEMA}.ingestion_consolidations`;

/** Projects say whose messages they trust; each partition of a set is consolidated by itself. */
export class TrustedProducers1763700000111 implements MigrationInterface {
  readonly name = 'TrustedProducers1763700000111';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE ${SCHEMA}.projects ADD COLUMN trusted_producers text[] NOT NULL DEFAULT '{*}'`,
    );
    // see `partitionKey`
    await runner.query(`
      ALTER TABLE ${CONSOLIDATIONS}
        ADD COLUMN partition_key text NOT NULL DEFAULT 'trusted/',
        DROP CONSTRAINT ingestion_consolidations_pkey,
        ADD PRIMARY KEY (set_uid, category, tag, partition_key)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`TRUNCATE ${CONSOLIDATIONS}`);
    await runner.query(`
      ALTER TABLE ${CONSOLIDATIONS}
        DROP CONSTRAINT ingestion_consolidations_pkey,
        DROP COLUMN partition_key, ADD PRIMARY KEY (set_uid, category, tag)`);
    await runner.query(`ALTER TABLE ${SCHEMA}.projects DROP COLUMN trusted_producers`);
  }
}
