import { createOutboxTable } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../src/database.js';

/** What the tables of ingestion stand on: an outbox, sets, and tables for features with all that they cite. */
export class SpecBase1700000000000 implements MigrationInterface {
  readonly name = 'SpecBase1700000000000';

  async up(runner: QueryRunner): Promise<void> {
    await createOutboxTable(runner, SCHEMA);
    await runner.query(
      `CREATE TABLE ${SCHEMA}.sets (uid uuid PRIMARY KEY, id text GENERATED ALWAYS AS (uid::text) STORED, llm_name text,
         project_uid uuid, kind text NOT NULL DEFAULT 'project_set', tag_values jsonb NOT NULL DEFAULT '{}');
       CREATE TABLE ${SCHEMA}.projects (uid uuid PRIMARY KEY, state text NOT NULL, facts_of text NOT NULL DEFAULT 'project');
       CREATE TABLE ${SCHEMA}.citations (episode_uid uuid);
       CREATE TABLE ${SCHEMA}.deleted_episodes (uid uuid PRIMARY KEY);
       CREATE TABLE ${SCHEMA}.messages_without_set (project_uid uuid, episode_uid uuid, added_at timestamptz)`,
    );
    await runner.query(`
      CREATE TABLE ${SCHEMA}.spec_features (
        uid uuid PRIMARY KEY DEFAULT gen_random_uuid(), set_uid uuid NOT NULL, category text NOT NULL,
        tag text NOT NULL, name text NOT NULL, value text NOT NULL, citations uuid[] NOT NULL, job_id text NOT NULL)`);
  }

  async down(): Promise<void> {
    // nothing goes back
  }
}
