import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const HISTORY = `${SCHEMA}.feature_history`;

/** What was changed at once is one change, which is listed by set and taken back as a whole. */
export class SetChanges1763700000100 implements MigrationInterface {
  readonly name = 'SetChanges1763700000100';

  async up(runner: QueryRunner): Promise<void> {
    // NULL in what was written by an older version: a change of its own
    await runner.query(`ALTER TABLE ${HISTORY} ADD COLUMN change_uid uuid`);
    await runner.query(
      `CREATE INDEX feature_history_changes ON ${HISTORY} (set_uid, (coalesce(change_uid, uid)))`,
    );
    await runner.query(`DROP INDEX ${SCHEMA}.feature_history_of_set`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX feature_history_of_set ON ${HISTORY} (set_uid)`);
    await runner.query(`ALTER TABLE ${HISTORY} DROP COLUMN change_uid`);
  }
}
