import { enableRowSecurity } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';
import { ROW_OWNER } from './0010-row-security.js';

const PROPOSALS = `${SCHEMA}.proposals`;

/** Changes that models ask for of features that clients wrote, until a client decides. */
export class Proposals1763700000112 implements MigrationInterface {
  readonly name = 'Proposals1763700000112';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ${PROPOSALS} (
        uid                uuid PRIMARY KEY,
        set_uid            uuid NOT NULL REFERENCES ${SCHEMA}.sets (uid) ON DELETE CASCADE,
        org_id             text NOT NULL,
        project_uid        uuid REFERENCES ${SCHEMA}.projects (uid),
        -- of the features, see Partition; what clients wrote is trusted
        source_project_uid uuid,
        command            text NOT NULL CHECK (command IN ('update', 'delete')),
        category           text NOT NULL,
        tag                text NOT NULL,
        name               text NOT NULL,
        -- empty for a delete
        value              text NOT NULL,
        -- uids and values of the features, as they were
        features           jsonb NOT NULL,
        feature_uids       uuid[] NOT NULL,
        -- what the features are to cite as well
        citations          jsonb NOT NULL,
        episode_uids       uuid[] NOT NULL,
        job_id             text,
        model              text,
        created_at         timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE UNIQUE INDEX proposals_once ON ${PROPOSALS}
        (set_uid, md5(category), command, md5(tag), md5(name), md5(value), source_project_uid)
      NULLS NOT DISTINCT`);
    await runner.query(`CREATE INDEX proposals_of_owner ON ${PROPOSALS} (org_id, project_uid, uid)`);
    await runner.query(`CREATE INDEX proposals_features ON ${PROPOSALS} USING gin (feature_uids)`);
    await runner.query(`CREATE INDEX proposals_episodes ON ${PROPOSALS} USING gin (episode_uids)`);
    await enableRowSecurity(runner, { schema: SCHEMA, table: 'proposals', tenant: ROW_OWNER });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE ${PROPOSALS}`);
  }
}
