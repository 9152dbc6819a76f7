import { disableRowSecurity, enableRowSecurity, SCOPE_SETTING } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const JOBS = `${SCHEMA}.ingestion_jobs`;
const ORGS = `${SCHEMA}.ingestion_orgs`;
const QUEUES = `${SCHEMA}.ingestion_queues`;

/** Stands for the organization as a whole where a project is named. */
export const NO_PROJECT = '00000000-0000-0000-0000-000000000000';
const PROJECT = `coalesce(project_uid, '${NO_PROJECT}')`;

const TENANT = `org_id || '/' || split_part(current_setting('${SCOPE_SETTING}', true), '/', 2)`;

const TABLES = [
  `ALTER TABLE ${JOBS} ADD COLUMN llm_name text NOT NULL DEFAULT ''`,
  // the organizations with due sets, and what is due in each by project and model. Who has the lowest turn is next
  `CREATE TABLE ${ORGS} (
        org_id text PRIMARY KEY,
        turn   float8 NOT NULL,
        -- claims: among equals, who has had fewest is next
        served bigint NOT NULL DEFAULT 0
      )`,
  `CREATE INDEX ingestion_orgs_turn ON ${ORGS} (turn, served, org_id)`,
  `CREATE TABLE ${QUEUES} (
        org_id      text NOT NULL,
        project_uid uuid NOT NULL,
        -- of the model that the sets were configured with; empty = that of the memory configuration
        llm_name    text NOT NULL,
        turn        float8 NOT NULL,
        served      bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (org_id, project_uid, llm_name)
      )`,
  `CREATE INDEX ingestion_queues_turn ON ${QUEUES} (org_id, turn, served, project_uid, llm_name)`,
  `CREATE INDEX ingestion_jobs_queue ON ${JOBS} (org_id, (${PROJECT}), llm_name, run_after, set_uid)
   WHERE state = 'due'`,
  `DROP INDEX ${SCHEMA}.ingestion_jobs_due`,
  `CREATE INDEX ingestion_jobs_ordered ON ${JOBS} (ordered_at) WHERE state = 'due'`,
  `CREATE INDEX ingestion_jobs_many ON ${JOBS} (fresh) WHERE fresh > 0 AND state IN ('idle', 'retrying')`,
];

/** A queue that is new begins at the lowest turn: it gets neither credit nor debt for the time before. */
const ENQUEUE = `
CREATE FUNCTION ${SCHEMA}.enqueue_ingestion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM changed WHERE state = 'due') THEN RETURN NULL; END IF;
  -- a queue is removed under the same lock, alone. All lock and insert in one order
  PERFORM pg_advisory_xact_lock_shared(hashtextextended(org_id, 1763700102))
  FROM (SELECT DISTINCT org_id FROM changed WHERE state = 'due' ORDER BY org_id) AS orgs;
  INSERT INTO ${ORGS} (org_id, turn)
  SELECT org_id, coalesce((SELECT min(turn) FROM ${ORGS}), 0)
  FROM (SELECT DISTINCT org_id FROM changed WHERE state = 'due') AS orgs ORDER BY org_id
  ON CONFLICT DO NOTHING;
  INSERT INTO ${QUEUES} (org_id, project_uid, llm_name, turn)
  SELECT org_id, project, llm_name,
         coalesce((SELECT min(turn) FROM ${QUEUES} AS queue WHERE queue.org_id = queues.org_id), 0)
  FROM (SELECT DISTINCT org_id, ${PROJECT} AS project, llm_name FROM changed WHERE state = 'due') AS queues
  ORDER BY org_id, project, llm_name
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$`;

const NAME_MODEL = `
CREATE FUNCTION ${SCHEMA}.name_ingestion_model() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.llm_name := coalesce((SELECT llm_name FROM ${SCHEMA}.sets WHERE uid = NEW.set_uid), '');
  RETURN NEW;
END $$`;

const TRIGGERS = [
  NAME_MODEL,
  `CREATE TRIGGER name_model BEFORE INSERT OR UPDATE ON ${JOBS} FOR EACH ROW
   WHEN (NEW.state = 'due') EXECUTE FUNCTION ${SCHEMA}.name_ingestion_model()`,
  ENQUEUE,
  ...['INSERT', 'UPDATE'].map(
    (event) => `CREATE TRIGGER enqueue_${event.toLowerCase()} AFTER ${event} ON ${JOBS}
      REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ${SCHEMA}.enqueue_ingestion()`,
  ),
];

/** Claims go round the organizations, and the looks of the scheduler are index lookups. */
export class FairQueues1763700000102 implements MigrationInterface {
  readonly name = 'FairQueues1763700000102';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...TRIGGERS]) await runner.query(statement);
    for (const table of ['ingestion_orgs', 'ingestion_queues']) {
      await enableRowSecurity(runner, { schema: SCHEMA, table, tenant: TENANT });
    }
    // what is due already finds its queue
    await runner.query(`UPDATE ${JOBS} SET state = state WHERE state = 'due'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER enqueue_insert ON ${JOBS}`);
    await runner.query(`DROP TRIGGER enqueue_update ON ${JOBS}`);
    await runner.query(`DROP TRIGGER name_model ON ${JOBS}`);
    await runner.query(`DROP FUNCTION ${SCHEMA}.enqueue_ingestion(), ${SCHEMA}.name_ingestion_model()`);
    for (const table of ['ingestion_queues', 'ingestion_orgs']) {
      await disableRowSecurity(runner, { schema: SCHEMA, table });
      await runner.query(`DROP TABLE ${SCHEMA}.${table}`);
    }
    for (const index of ['queue', 'ordered', 'many']) {
      await runner.query(`DROP INDEX ${SCHEMA}.ingestion_jobs_${index}`);
    }
    await runner.query(`CREATE INDEX ingestion_jobs_due ON ${JOBS} (run_after) WHERE state = 'due'`);
    await runner.query(`ALTER TABLE ${JOBS} DROP COLUMN llm_name`);
  }
}
