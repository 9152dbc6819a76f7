import { disableRowSecurity, enableRowSecurity } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const TABLES = `
CREATE TABLE ${SCHEMA}.webhooks (
  id                uuid PRIMARY KEY,
  -- NULL: of the deployment
  org_id            text,
  -- NULL: of the organization as a whole
  project_uid       uuid CONSTRAINT webhooks_project_uid_fkey REFERENCES ${SCHEMA}.projects (uid) ON DELETE CASCADE,
  url               text NOT NULL,
  description       text NOT NULL,
  -- NULL: all
  types             text[],
  is_enabled        boolean NOT NULL DEFAULT true,
  disabled_reason   text,
  -- encrypted
  secret            text NOT NULL,
  former_secret     text,
  former_expires_at timestamptz,
  created_at        timestamptz NOT NULL DEFAULT now(),
  rotated_at        timestamptz,
  -- of the last notification that is done with
  position          bigint NOT NULL,
  attempts          integer NOT NULL DEFAULT 0,
  next_attempt_at   timestamptz NOT NULL DEFAULT now(),
  failing_since     timestamptz,
  last_error        text,
  last_delivered_at timestamptz,
  lease_until       timestamptz,
  lease_token       uuid,
  unfinished        integer NOT NULL DEFAULT 0,
  CONSTRAINT webhooks_place CHECK (project_uid IS NULL OR org_id IS NOT NULL)
);
CREATE INDEX webhooks_of_organization ON ${SCHEMA}.webhooks (org_id, id);
CREATE INDEX webhooks_of_project ON ${SCHEMA}.webhooks (project_uid);
CREATE TABLE ${SCHEMA}.webhook_deliveries (
  webhook_id       uuid NOT NULL CONSTRAINT webhook_deliveries_webhook_id_fkey
                     REFERENCES ${SCHEMA}.webhooks (id) ON DELETE CASCADE,
  -- of the notification
  position         bigint NOT NULL,
  org_id           text,
  event_id         uuid NOT NULL,
  type             text NOT NULL,
  status           text NOT NULL,
  attempts         integer NOT NULL,
  first_attempt_at timestamptz NOT NULL DEFAULT now(),
  last_attempt_at  timestamptz NOT NULL DEFAULT now(),
  http_status      integer,
  error            text,
  duration_ms      integer NOT NULL,
  PRIMARY KEY (webhook_id, position),
  CONSTRAINT webhook_deliveries_status CHECK (status IN ('delivered', 'retrying', 'dropped'))
);
CREATE INDEX webhook_deliveries_old ON ${SCHEMA}.webhook_deliveries (last_attempt_at);
CREATE INDEX webhook_deliveries_retrying ON ${SCHEMA}.webhook_deliveries (webhook_id) WHERE status = 'retrying'`;

/** Who gets events by HTTP, and how far each is. */
export class Webhooks1763700000202 implements MigrationInterface {
  readonly name = 'Webhooks1763700000202';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await enableRowSecurity(runner, { schema: SCHEMA, table: 'webhooks', tenant: 'org_id' });
    await enableRowSecurity(runner, { schema: SCHEMA, table: 'webhook_deliveries', tenant: 'org_id' });
  }

  async down(runner: QueryRunner): Promise<void> {
    await disableRowSecurity(runner, { schema: SCHEMA, table: 'webhook_deliveries' });
    await disableRowSecurity(runner, { schema: SCHEMA, table: 'webhooks' });
    await runner.query(`DROP TABLE ${SCHEMA}.webhook_deliveries, ${SCHEMA}.webhooks`);
  }
}
