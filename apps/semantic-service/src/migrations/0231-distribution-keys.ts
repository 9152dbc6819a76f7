import { buildIndex, disableRowSecurity, enableRowSecurity, inTransaction } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';
import { ownerOf } from './0010-row-security.js';
import { dropFormerKeys, keepFormerKeys } from './former-keys.js';

const CITATIONS = { schema: SCHEMA, table: 'citations' };

/** Of the next citations, by the key that they have until then. Parameters: behind which feature and episode. */
const NAME_SETS = `
  WITH next AS MATERIALIZED (
    SELECT feature_uid, episode_uid FROM ${SCHEMA}.citations
    WHERE (feature_uid, episode_uid) > ($1::uuid, $2::uuid) ORDER BY feature_uid, episode_uid LIMIT 10000
  ), named AS (
    UPDATE ${SCHEMA}.citations SET set_uid = features.set_uid
    FROM next JOIN ${SCHEMA}.features ON features.uid = next.feature_uid
    WHERE citations.feature_uid = next.feature_uid AND citations.episode_uid = next.episode_uid
      AND citations.set_uid IS NULL
  )
  SELECT feature_uid, episode_uid FROM next ORDER BY feature_uid DESC, episode_uid DESC LIMIT 1`;

const NIL = '00000000-0000-0000-0000-000000000000';

/** Whether an earlier attempt had every citation name its set. */
const ALL_NAMED = `
  SELECT FROM pg_attribute WHERE attrelid = '${SCHEMA}.citations'::regclass AND attname = 'set_uid' AND attnotnull`;

/** Keys that are built while the tables are in use, under the names that their columns give them. */
const KEYS = [
  { table: 'features', columns: 'uid, set_uid' },
  { table: 'citations', columns: 'set_uid, feature_uid, episode_uid' },
  { table: 'feature_history', columns: 'uid, set_uid' },
  { table: 'model_calls', columns: 'uid, set_uid' },
  { table: 'deleted_episodes', columns: 'project_uid, uid' },
  { table: 'ingestion_dead_letters', columns: 'uid, set_uid' },
  { table: 'proposals', columns: 'uid, set_uid' },
] as const;

const FORMER = KEYS.filter(({ table }) => table !== 'citations').map(({ table }) => table);

/**
 * Every key contains the set, or the project, by which the tables can be spread over servers; citations name their set.
 * What takes long is done while the tables are in use, the rest in one transaction; begun again, it does what is left.
 * A category may be of a set on another server, so that no foreign key leads there: an erasure removes it first.
 */
export class DistributionKeys1763700000231 implements MigrationInterface {
  readonly name = 'DistributionKeys1763700000231';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${SCHEMA}.citations ADD COLUMN IF NOT EXISTS set_uid uuid`);
    await keepFormerKeys(runner);
    await nameSets(runner);
    for (const { table, columns } of KEYS) {
      const key = { name: `${table}_key`, definition: `(${columns})`, isUnique: true };
      await buildIndex(runner, { schema: SCHEMA, table, ...key });
    }
    await inTransaction(runner, () => changeKeys(runner));
    await runner.query(`ALTER TABLE ${SCHEMA}.citations VALIDATE CONSTRAINT citations_feature_uid_fkey`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await inTransaction(runner, async () => {
      await runner.query(`ALTER TABLE ${SCHEMA}.citations DROP CONSTRAINT citations_feature_uid_fkey`);
      for (const table of FORMER) {
        await runner.query(`
          ALTER TABLE ${SCHEMA}.${table} DROP CONSTRAINT ${table}_pkey,
            ADD CONSTRAINT ${table}_pkey PRIMARY KEY (uid)`);
      }
      await dropFormerKeys(runner);
      await runner.query(
        `CREATE INDEX deleted_episodes_of_project ON ${SCHEMA}.deleted_episodes (project_uid)`,
      );
      await disableRowSecurity(runner, CITATIONS);
      await runner.query(`
        ALTER TABLE ${SCHEMA}.citations DROP CONSTRAINT citations_pkey,
          ADD CONSTRAINT citations_pkey PRIMARY KEY (feature_uid, episode_uid), DROP COLUMN set_uid,
          ADD CONSTRAINT citations_feature_uid_fkey FOREIGN KEY (feature_uid)
            REFERENCES ${SCHEMA}.features (uid) ON DELETE CASCADE`);
      await enableRowSecurity(runner, { ...CITATIONS, tenant: ownerOf('features', 'feature_uid') });
      await runner.query(`
        ALTER TABLE ${SCHEMA}.categories ADD CONSTRAINT categories_set_uid_fkey FOREIGN KEY (set_uid)
          REFERENCES ${SCHEMA}.sets (uid) ON DELETE CASCADE`);
    });
  }
}

/**
 * Has each citation name its set: those of before some at a time, so that none is locked for long; the trigger of
 * `keepFormerKeys` names those that come meanwhile. What has been checked needs no look when the column may not be null.
 */
async function nameSets(runner: QueryRunner): Promise<void> {
  if (((await runner.query(ALL_NAMED)) as unknown[]).length > 0) return;
  for (let last: readonly string[] | undefined = [NIL, NIL]; last;) {
    const behind: readonly string[] = last;
    const [row] = (await inTransaction(runner, () => runner.query(NAME_SETS, [...behind]))) as {
      feature_uid: string;
      episode_uid: string;
    }[];
    last = row && [row.feature_uid, row.episode_uid];
  }
  await runner.query(`
    ALTER TABLE ${SCHEMA}.citations DROP CONSTRAINT IF EXISTS citations_name_their_set,
      ADD CONSTRAINT citations_name_their_set CHECK (set_uid IS NOT NULL) NOT VALID`);
  await runner.query(`ALTER TABLE ${SCHEMA}.citations VALIDATE CONSTRAINT citations_name_their_set`);
}

async function changeKeys(runner: QueryRunner): Promise<void> {
  await runner.query(`
    ALTER TABLE ${SCHEMA}.citations DROP CONSTRAINT IF EXISTS citations_feature_uid_fkey`);
  await runner.query(`
    ALTER TABLE ${SCHEMA}.citations ALTER COLUMN set_uid SET NOT NULL,
      DROP CONSTRAINT IF EXISTS citations_name_their_set`);
  for (const { table } of KEYS) {
    await runner.query(`
      ALTER TABLE ${SCHEMA}.${table} DROP CONSTRAINT ${table}_pkey,
        ADD CONSTRAINT ${table}_pkey PRIMARY KEY USING INDEX ${table}_key`);
  }
  await runner.query(`DROP INDEX IF EXISTS ${SCHEMA}.deleted_episodes_of_project`);
  await runner.query(`
    ALTER TABLE ${SCHEMA}.citations ADD CONSTRAINT citations_feature_uid_fkey
      FOREIGN KEY (feature_uid, set_uid) REFERENCES ${SCHEMA}.features (uid, set_uid) ON DELETE CASCADE NOT VALID`);
  await disableRowSecurity(runner, CITATIONS);
  await enableRowSecurity(runner, { ...CITATIONS, tenant: ownerOf('sets', 'set_uid') });
  await runner.query(`ALTER TABLE ${SCHEMA}.categories DROP CONSTRAINT IF EXISTS categories_set_uid_fkey`);
}
