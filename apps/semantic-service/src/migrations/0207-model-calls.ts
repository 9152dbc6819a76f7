import { enableRowSecurity } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const CALLS = `${SCHEMA}.model_calls`;

/** What ingestion asked models, and what they replied. */
export class ModelCalls1763700000207 implements MigrationInterface {
  readonly name = 'ModelCalls1763700000207';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ${CALLS} (
        uid           uuid PRIMARY KEY,
        set_uid       uuid NOT NULL REFERENCES ${SCHEMA}.sets (uid) ON DELETE CASCADE,
        org_id        text NOT NULL,
        -- whose messages it shows, also in a set of the organization
        project_uid   uuid NOT NULL REFERENCES ${SCHEMA}.projects (uid),
        kind          text NOT NULL CHECK (kind IN ('extraction', 'consolidation')),
        categories    text[] NOT NULL,
        model         text NOT NULL,
        -- why it failed; null where it did not
        code          text,
        reason        text,
        replies       int NOT NULL,
        input_tokens  int NOT NULL,
        output_tokens int NOT NULL,
        cost          numeric,
        duration_ms   int NOT NULL,
        -- messages that it learns from
        read_uids     uuid[] NOT NULL,
        -- all whose words it may show: those, what was said before, and what the features that it shows cite
        episode_uids  uuid[] NOT NULL,
        -- features that it shows or made
        feature_uids  uuid[] NOT NULL,
        made          jsonb NOT NULL DEFAULT '[]',
        -- null where the project keeps no texts
        prompt        jsonb,
        reply         text,
        is_cut        boolean NOT NULL,
        begun_at      timestamptz NOT NULL,
        expires_at    timestamptz NOT NULL
      )`);
    await runner.query(`CREATE INDEX model_calls_of_project ON ${CALLS} (project_uid, uid)`);
    await runner.query(`CREATE INDEX model_calls_of_set ON ${CALLS} (set_uid, uid)`);
    await runner.query(`CREATE INDEX model_calls_expiry ON ${CALLS} (expires_at)`);
    await runner.query(`CREATE INDEX model_calls_episodes ON ${CALLS} USING gin (episode_uids)`);
    await runner.query(`CREATE INDEX model_calls_features ON ${CALLS} USING gin (feature_uids)`);
    await enableRowSecurity(runner, {
      schema: SCHEMA,
      table: 'model_calls',
      tenant: `org_id || '/' || project_uid`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE ${CALLS}`);
  }
}
