import { enableRowSecurity } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** What fell out of short-term memory, in short. */
export class Summaries1763700000021 implements MigrationInterface {
  readonly name = 'Summaries1763700000021';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ${SCHEMA}.summaries (
        project_uid uuid PRIMARY KEY REFERENCES ${SCHEMA}.projects (uid) ON DELETE CASCADE,
        text        text NOT NULL DEFAULT '',
        -- every earlier episode is in the text; null: nothing is known to be
        complete_to timestamptz,
        -- the text was thrown away, and episodes are still marked as being in it
        is_reset    boolean NOT NULL DEFAULT false,
        -- grows with every claim and every reset: who holds an older one must not write
        fence       int NOT NULL DEFAULT 0,
        lease_until timestamptz,
        claimed_at  timestamptz,
        -- something came that may have to be summarised
        wanted_at   timestamptz,
        ordered_at  timestamptz,
        failures    int NOT NULL DEFAULT 0,
        retry_at    timestamptz
      )`);
    await runner.query(
      `CREATE INDEX summaries_wanted ON ${SCHEMA}.summaries (wanted_at) WHERE wanted_at IS NOT NULL`,
    );
    await enableRowSecurity(runner, { schema: SCHEMA, table: 'summaries', tenant: 'project_uid::text' });
    await runner.query(`ALTER TABLE ${SCHEMA}.episodes ADD COLUMN in_summary boolean NOT NULL DEFAULT false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${SCHEMA}.episodes DROP COLUMN in_summary`);
    await runner.query(`DROP TABLE ${SCHEMA}.summaries`);
  }
}
