import { createIndexVersionTables } from '@loci/indexing';
import { ROWS_OF_ALL, SCOPE_SETTING } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';
import { ownerOf } from './0010-row-security.js';

/** Sets have embedders of their own, and move from one to another. */
export class IndexSpaces1763700000020 implements MigrationInterface {
  readonly name = 'IndexSpaces1763700000020';

  async up(runner: QueryRunner): Promise<void> {
    await createIndexVersionTables(runner, {
      schema: SCHEMA,
      owners: 'sets',
      tenant: ownerOf('sets', 'owner_uid'),
    });
    // the space that the feature, as it is, was carried to last, whether that is being built or active by now
    await runner.query(`ALTER TABLE ${SCHEMA}.features ADD COLUMN carried_to uuid`);
    await runner.query(`SELECT set_config('${SCOPE_SETTING}', '${ROWS_OF_ALL}', true)`);
    // no set has a space yet, so nothing is in one
    await runner.query(`UPDATE ${SCHEMA}.features SET indexed_at = NULL WHERE indexed_at IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${SCHEMA}.features DROP COLUMN carried_to`);
    await runner.query(`DROP TABLE ${SCHEMA}.index_spaces`);
    await runner.query(`DROP TABLE ${SCHEMA}.index_collections`);
  }
}
