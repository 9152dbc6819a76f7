import { disableRowSecurity, enableRowSecurity, ROWS_OF_ALL, SCOPE_SETTING } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const TABLES = [
  { table: 'set_counts', tenant: `org_id || '/'` },
  { table: 'messages_without_set', tenant: `org_id || '/' || project_uid` },
];

/** How many sets an organization has, without counting them, and the messages for which one more was refused. */
export class SetQuotas1763700000121 implements MigrationInterface {
  readonly name = 'SetQuotas1763700000121';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT set_config('${SCOPE_SETTING}', '${ROWS_OF_ALL}', true)`);
    await runner.query(`
      CREATE TABLE ${SCHEMA}.set_counts (org_id text PRIMARY KEY, sets bigint NOT NULL);
      CREATE TABLE ${SCHEMA}.messages_without_set (
        project_uid uuid NOT NULL REFERENCES ${SCHEMA}.projects (uid),
        episode_uid uuid NOT NULL,
        org_id      text NOT NULL,
        added_at    timestamptz NOT NULL,
        received_at timestamptz NOT NULL,
        refused_at  timestamptz NOT NULL,
        PRIMARY KEY (project_uid, episode_uid)
      );
      CREATE INDEX messages_without_set_of_org ON ${SCHEMA}.messages_without_set (org_id, refused_at);
      CREATE INDEX categories_of_org ON ${SCHEMA}.categories (org_id)`);
    await runner.query(`
      CREATE FUNCTION ${SCHEMA}.count_sets() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO ${SCHEMA}.set_counts AS counts (org_id, sets)
        SELECT org_id, (CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END) * count(*)
        FROM changed GROUP BY org_id ORDER BY org_id
        ON CONFLICT (org_id) DO UPDATE SET sets = counts.sets + excluded.sets;
        RETURN NULL;
      END $$;
      CREATE TRIGGER sets_are_counted AFTER INSERT ON ${SCHEMA}.sets
        REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ${SCHEMA}.count_sets();
      CREATE TRIGGER removed_sets_are_counted AFTER DELETE ON ${SCHEMA}.sets
        REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ${SCHEMA}.count_sets();
      INSERT INTO ${SCHEMA}.set_counts SELECT org_id, count(*) FROM ${SCHEMA}.sets GROUP BY org_id`);
    for (const { table, tenant } of TABLES)
      await enableRowSecurity(runner, { schema: SCHEMA, table, tenant });
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { table } of TABLES) await disableRowSecurity(runner, { schema: SCHEMA, table });
    await runner.query(`
      DROP TRIGGER sets_are_counted ON ${SCHEMA}.sets;
      DROP TRIGGER removed_sets_are_counted ON ${SCHEMA}.sets;
      DROP FUNCTION ${SCHEMA}.count_sets;
      DROP INDEX ${SCHEMA}.categories_of_org;
      DROP TABLE ${SCHEMA}.set_counts, ${SCHEMA}.messages_without_set`);
  }
}
