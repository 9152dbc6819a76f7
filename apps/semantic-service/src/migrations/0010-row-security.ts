import { disableRowSecurity, enableRowSecurity, SCOPE_SETTING } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

/** A scope is written `organization/uid of the project`, see `rowsIn`. */
const PROJECT_OF_SCOPE = `split_part(current_setting('${SCOPE_SETTING}', true), '/', 2)`;

/** What belongs to the organization as a whole is there for each of its projects. */
export const ROW_OWNER = `org_id || '/' || coalesce(project_uid::text, ${PROJECT_OF_SCOPE})`;

/** The owner of a row of another table. @param uid of that row, an SQL expression */
export const ownerOf = (table: string, uid: string): string =>
  `(SELECT ${ROW_OWNER.replaceAll(/\b(org_id|project_uid)\b/g, 'owner.$1')} FROM ${SCHEMA}.${table} AS owner WHERE owner.uid = ${uid})`;

const TENANTS = [
  // an organization knows the names of its projects
  { table: 'projects', tenant: `org_id || '/' || ${PROJECT_OF_SCOPE}` },
  ...['set_types', 'sets', 'categories', 'features', 'feature_history'].map((table) => ({
    table,
    tenant: ROW_OWNER,
  })),
  { table: 'category_tags', tenant: ownerOf('categories', 'category_uid') },
  { table: 'disabled_categories', tenant: ownerOf('sets', 'set_uid') },
  { table: 'citations', tenant: ownerOf('features', 'feature_uid') },
  {
    table: 'deleted_episodes',
    tenant: `(SELECT owner.org_id || '/' || owner.uid FROM ${SCHEMA}.projects AS owner WHERE owner.uid = project_uid)`,
  },
  ...['ingestion_jobs', 'ingestion_dead_letters', 'ingestion_usage'].map((table) => ({
    table,
    tenant: ROW_OWNER,
  })),
  // whose message it is, whichever set it waits in
  { table: 'ingestion_messages', tenant: `org_id || '/' || project_uid` },
  {
    table: 'ingestion_progress',
    tenant: `(SELECT owner.org_id || '/' || owner.project_uid FROM ${SCHEMA}.ingestion_messages AS owner
      WHERE owner.set_uid = ingestion_progress.set_uid AND owner.episode_uid = ingestion_progress.episode_uid)`,
  },
  ...['ingestion_failures', 'ingestion_consolidations'].map((table) => ({
    table,
    tenant: ownerOf('sets', 'set_uid'),
  })),
] as const;

export class RowSecurity1763700000010 implements MigrationInterface {
  readonly name = 'RowSecurity1763700000010';

  async up(runner: QueryRunner): Promise<void> {
    for (const { table, tenant } of TENANTS) {
      await enableRowSecurity(runner, { schema: SCHEMA, table, tenant });
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { table } of TENANTS) await disableRowSecurity(runner, { schema: SCHEMA, table });
  }
}
