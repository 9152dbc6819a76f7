import { enableRowSecurity } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** Deletions by a filter, as jobs. */
export class Deletions1763700000099 implements MigrationInterface {
  readonly name = 'Deletions1763700000099';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ${SCHEMA}.deletions (
        uid          uuid PRIMARY KEY,
        project_uid  uuid NOT NULL REFERENCES ${SCHEMA}.projects (uid) ON DELETE CASCADE,
        -- null once it is done: it may say whose messages they were
        filter       jsonb,
        state        text NOT NULL DEFAULT 'deleting' CHECK (state IN ('deleting', 'purging', 'done')),
        -- what was added later is not meant
        requested_at timestamptz NOT NULL DEFAULT now(),
        matching     int NOT NULL,
        deleted      int NOT NULL DEFAULT 0,
        -- every episode up to this one has been looked at
        seen_at      timestamptz NOT NULL DEFAULT '-infinity',
        seen_uid     uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
        -- the next step is not before it
        next_at      timestamptz NOT NULL DEFAULT now(),
        failures     int NOT NULL DEFAULT 0,
        emptied_at   timestamptz,
        finished_at  timestamptz
      )`);
    await runner.query(`CREATE INDEX deletions_open ON ${SCHEMA}.deletions (next_at) WHERE state <> 'done'`);
    await runner.query(
      `CREATE INDEX deletions_of_project ON ${SCHEMA}.deletions (project_uid, requested_at)`,
    );
    await runner.query(
      `CREATE INDEX deletions_finished ON ${SCHEMA}.deletions (finished_at) WHERE finished_at IS NOT NULL`,
    );
    await enableRowSecurity(runner, { schema: SCHEMA, table: 'deletions', tenant: 'project_uid::text' });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE ${SCHEMA}.deletions`);
  }
}
