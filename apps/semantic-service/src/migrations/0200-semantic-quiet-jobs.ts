import { ROWS_OF_ALL, SCOPE_SETTING } from '@loci/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const JOBS = `${SCHEMA}.ingestion_jobs`;
const COUNTS = `${SCHEMA}.ingestion_counts`;

const AWAITS_MODEL = `state = 'blocked' AND code = 'resource_not_ready'`;
const GOES_ON = `state = 'retrying' OR state = 'blocked' AND code IS DISTINCT FROM 'resource_not_ready'`;

const STATES = ['idle', 'due', 'running', 'retrying', 'blocked'];

/** What one side of a change adds to the counters. */
const sumsOf = (rows: string): string =>
  [
    'coalesce(sum(waiting), 0) AS waiting',
    ...STATES.map((state) => `count(*) FILTER (WHERE state = '${state}') AS ${state}`),
  ].join(', ') + ` FROM ${rows}`;

const COLUMNS = ['waiting', ...STATES];

const TABLE = `
CREATE TABLE ${COUNTS} (
  slot int GENERATED ALWAYS AS IDENTITY CONSTRAINT ingestion_counts_pkey PRIMARY KEY,
  ${COLUMNS.map((column) => `${column} bigint NOT NULL`).join(', ')}
) WITH (fillfactor = 50)`;

/** Each transaction writes a row that no other one holds, so that counting makes none of them wait. */
const COUNT = `
CREATE FUNCTION ${SCHEMA}.count_ingestion() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE more record;
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT ${sumsOf('written')} INTO more;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT ${COLUMNS.map((column) => `-${column} AS ${column}`).join(', ')} FROM (SELECT ${sumsOf('replaced')}) AS gone INTO more;
  ELSE
    SELECT ${COLUMNS.map((column) => `written.${column} - replaced.${column} AS ${column}`).join(', ')}
    FROM (SELECT ${sumsOf('written')}) AS written, (SELECT ${sumsOf('replaced')}) AS replaced INTO more;
  END IF;
  IF ${COLUMNS.map((column) => `more.${column} = 0`).join(' AND ')} THEN RETURN NULL; END IF;
  UPDATE ${COUNTS} SET ${COLUMNS.map((column) => `${column} = ingestion_counts.${column} + more.${column}`).join(', ')}
  WHERE slot = (SELECT slot FROM ${COUNTS} LIMIT 1 FOR UPDATE SKIP LOCKED);
  IF NOT FOUND THEN
    INSERT INTO ${COUNTS} (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map((column) => `more.${column}`).join(', ')});
  END IF;
  RETURN NULL;
END $$`;

const EVENTS = {
  insert: 'NEW TABLE AS written',
  update: 'OLD TABLE AS replaced NEW TABLE AS written',
  delete: 'OLD TABLE AS replaced',
};

/** A set that waits for its model may be given another one. */
const RENAME = [
  `CREATE FUNCTION ${SCHEMA}.rename_ingestion_model() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     UPDATE ${JOBS} SET llm_name = coalesce(NEW.llm_name, ''), run_after = least(run_after, now())
     WHERE set_uid = NEW.uid AND state = 'blocked';
     RETURN NULL;
   END $$`,
  `CREATE TRIGGER rename_model AFTER UPDATE OF llm_name ON ${SCHEMA}.sets FOR EACH ROW
   WHEN (OLD.llm_name IS DISTINCT FROM NEW.llm_name) EXECUTE FUNCTION ${SCHEMA}.rename_ingestion_model()`,
];

/** Sets without a model cost nothing while they wait for one, and gauges of ingestion cost the same at any size. */
export class QuietJobs1763700000200 implements MigrationInterface {
  readonly name = 'QuietJobs1763700000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX ${SCHEMA}.ingestion_jobs_later`);
    await runner.query(`CREATE INDEX ingestion_jobs_later ON ${JOBS} (run_after) WHERE ${GOES_ON}`);
    await runner.query(
      `CREATE INDEX ingestion_jobs_unready ON ${JOBS} (llm_name, run_after) WHERE ${AWAITS_MODEL}`,
    );
    await runner.query(
      `CREATE INDEX ingestion_messages_oldest ON ${SCHEMA}.ingestion_messages (received_at) WHERE done_at IS NULL`,
    );
    for (const statement of [...RENAME, TABLE, COUNT]) await runner.query(statement);
    for (const [event, rows] of Object.entries(EVENTS)) {
      await runner.query(
        `CREATE TRIGGER count_${event} AFTER ${event} ON ${JOBS} REFERENCING ${rows}
         FOR EACH STATEMENT EXECUTE FUNCTION ${SCHEMA}.count_ingestion()`,
      );
    }
    await runner.query(`SELECT set_config('${SCOPE_SETTING}', '${ROWS_OF_ALL}', true)`);
    await runner.query(`INSERT INTO ${COUNTS} (${COLUMNS.join(', ')}) SELECT ${sumsOf(JOBS)}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const event of Object.keys(EVENTS)) await runner.query(`DROP TRIGGER count_${event} ON ${JOBS}`);
    await runner.query(`DROP FUNCTION ${SCHEMA}.count_ingestion()`);
    await runner.query(`DROP TABLE ${COUNTS}`);
    await runner.query(`DROP TRIGGER rename_model ON ${SCHEMA}.sets`);
    await runner.query(`DROP FUNCTION ${SCHEMA}.rename_ingestion_model()`);
    await runner.query(`DROP INDEX ${SCHEMA}.ingestion_messages_oldest`);
    await runner.query(`DROP INDEX ${SCHEMA}.ingestion_jobs_unready, ${SCHEMA}.ingestion_jobs_later`);
    await runner.query(
      `CREATE INDEX ingestion_jobs_later ON ${JOBS} (run_after) WHERE state IN ('retrying', 'blocked')`,
    );
  }
}
