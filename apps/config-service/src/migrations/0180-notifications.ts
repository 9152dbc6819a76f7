import { disableRowSecurity, enableRowSecurity } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const TABLES = `
CREATE TABLE ${SCHEMA}.notifications (
  -- microseconds since 1970, each greater than the one before
  position    bigint PRIMARY KEY,
  id          uuid NOT NULL CONSTRAINT notifications_id UNIQUE,
  type        text NOT NULL,
  at          timestamptz NOT NULL,
  -- NULL: of the deployment
  org_id      text,
  -- NULL: of the organization as a whole
  project_uid uuid CONSTRAINT notifications_project_uid_fkey REFERENCES ${SCHEMA}.projects (uid) ON DELETE CASCADE,
  data        jsonb NOT NULL,
  CONSTRAINT notifications_place CHECK (project_uid IS NULL OR org_id IS NOT NULL)
);
CREATE INDEX notifications_of_organization ON ${SCHEMA}.notifications (org_id, position);
CREATE INDEX notifications_of_project ON ${SCHEMA}.notifications (project_uid, position);
-- the last position that was given; recording locks this row
CREATE TABLE ${SCHEMA}.notification_head (
  is_only  boolean PRIMARY KEY DEFAULT true CONSTRAINT notification_head_is_only CHECK (is_only),
  position bigint NOT NULL
);
INSERT INTO ${SCHEMA}.notification_head VALUES (true, 0)`;

/** What clients are told of, in the sequence in which they are told. */
export class Notifications1763700000180 implements MigrationInterface {
  readonly name = 'Notifications1763700000180';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await enableRowSecurity(runner, { schema: SCHEMA, table: 'notifications', tenant: 'org_id' });
  }

  async down(runner: QueryRunner): Promise<void> {
    await disableRowSecurity(runner, { schema: SCHEMA, table: 'notifications' });
    await runner.query(`DROP TABLE ${SCHEMA}.notification_head, ${SCHEMA}.notifications`);
  }
}
