import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

export class ApiKeys1763700000003 implements MigrationInterface {
  readonly name = 'ApiKeys1763700000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ${SCHEMA}.api_keys (
        id                  uuid PRIMARY KEY,
        name                text NOT NULL,
        hint                text NOT NULL,
        scopes              text[] NOT NULL CHECK (scopes <> '{}' AND scopes <@ '{read,write,admin}'),
        org_id              text,
        project_id          text CHECK (project_id IS NULL OR org_id IS NOT NULL),
        digest              text NOT NULL UNIQUE,
        -- the secret before the last rotation, as long as its grace lasts
        former_digest       text UNIQUE,
        former_expires_at   timestamptz CHECK ((former_expires_at IS NULL) = (former_digest IS NULL)),
        created_at          timestamptz NOT NULL DEFAULT now(),
        expires_at          timestamptz,
        rotated_at          timestamptz,
        -- a revoked key is kept, so that the audit can say whose it was
        revoked_at          timestamptz
      )`);
    await runner.query(
      `CREATE INDEX api_keys_in_force ON ${SCHEMA}.api_keys (org_id, project_id, id) WHERE revoked_at IS NULL`,
    );
    await runner.query(`
      CREATE TABLE ${SCHEMA}.audit (
        id          uuid PRIMARY KEY,
        at          timestamptz NOT NULL,
        request_id  text NOT NULL,
        actor_kind  text NOT NULL,
        actor       text NOT NULL,
        operation   text NOT NULL,
        org_id      text,
        project_id  text,
        resources   text[] NOT NULL,
        -- absent until the outcome is known
        status      integer,
        code        text
      )`);
    await runner.query(`CREATE INDEX audit_by_organization ON ${SCHEMA}.audit (org_id, id)`);
    await runner.query(`CREATE INDEX audit_by_age ON ${SCHEMA}.audit (at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE ${SCHEMA}.audit, ${SCHEMA}.api_keys`);
  }
}
