import { disableRowSecurity, enableRowSecurity } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const TABLE = 'ingestion_unfinished';

/** Whose message it is, as with its progress. */
const TENANT = `(SELECT owner.org_id || '/' || owner.project_uid FROM ${SCHEMA}.ingestion_messages AS owner
  WHERE owner.set_uid = ${TABLE}.set_uid AND owner.episode_uid = ${TABLE}.episode_uid)`;

/** Messages that a category has begun with: how far a long one is read, and which were in a batch that failed. */
export class UnfinishedMessages1763700000101 implements MigrationInterface {
  readonly name = 'UnfinishedMessages1763700000101';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE ${SCHEMA}.${TABLE} (
        set_uid     uuid NOT NULL,
        episode_uid uuid NOT NULL,
        category    text NOT NULL,
        -- of a long message: where in its text the next part begins, and what was refused of the parts before
        read_until  integer NOT NULL DEFAULT 0,
        refused     jsonb NOT NULL DEFAULT '[]',
        -- of a batch that failed: what is tried together next time; absent = with the other messages
        batch_uid   uuid,
        failures    integer NOT NULL DEFAULT 0,
        retry_at    timestamptz,
        code        text,
        reason      text,
        PRIMARY KEY (set_uid, episode_uid, category),
        FOREIGN KEY (set_uid, episode_uid) REFERENCES ${SCHEMA}.ingestion_messages ON DELETE CASCADE,
        CONSTRAINT ${TABLE}_suspect CHECK (num_nulls(batch_uid, retry_at, code, reason) IN (0, 4))
      )`,
    );
    await runner.query(
      `CREATE INDEX ${TABLE}_suspects ON ${SCHEMA}.${TABLE} (set_uid, category, retry_at)
       WHERE batch_uid IS NOT NULL`,
    );
    await enableRowSecurity(runner, { schema: SCHEMA, table: TABLE, tenant: TENANT });
  }

  async down(runner: QueryRunner): Promise<void> {
    await disableRowSecurity(runner, { schema: SCHEMA, table: TABLE });
    await runner.query(`DROP TABLE ${SCHEMA}.${TABLE}`);
  }
}
