import { replaceIndex } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const CHANGES = { schema: SCHEMA, table: 'feature_history', name: 'feature_history_changes' };

/**
 * A change is found among those of its set by the index, which tells all that counting them takes. Row security let none
 * answer what was asked of a `coalesce`, so that all that had ever happened in the set was read.
 */
export class ChangesOfSet1763700000344 implements MigrationInterface {
  readonly name = 'ChangesOfSet1763700000344';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await replaceIndex(runner, {
      ...CHANGES,
      definition: `(set_uid, (CASE WHEN change_uid IS NULL THEN uid ELSE change_uid END), uid)
        INCLUDE (change_uid, org_id, project_uid)`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await replaceIndex(runner, { ...CHANGES, definition: '(set_uid, (coalesce(change_uid, uid)))' });
  }
}
