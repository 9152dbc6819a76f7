import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { SCHEMA } from '../database.js';

const SETS = `${SCHEMA}.sets (uid) ON DELETE CASCADE`;

const JOBS = [
  // one row per set: its backlog, and the job that works on it. So there is never more than one job of a set
  `CREATE TABLE ${SCHEMA}.ingestion_jobs (
        set_uid     uuid PRIMARY KEY REFERENCES ${SETS},
        org_id      text NOT NULL,
        -- absent at the level of the organization
        project_uid uuid,
        state       text NOT NULL DEFAULT 'idle' CHECK (state IN ('idle', 'due', 'running', 'retrying', 'blocked')),
        -- messages that are not ingested, and those of them that no pass has taken up yet
        waiting     integer NOT NULL DEFAULT 0 CHECK (waiting >= 0),
        fresh       integer NOT NULL DEFAULT 0 CHECK (fresh >= 0),
        fresh_since timestamptz,
        -- the fencing token: grows with every claim, and whoever holds an older one cannot write
        attempt     bigint NOT NULL DEFAULT 0,
        lease_until timestamptz,
        run_after   timestamptz NOT NULL DEFAULT now(),
        ordered_at  timestamptz,
        -- why it does not go on at this moment
        code        text,
        reason      text,
        changed_at  timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT ingestion_jobs_leased CHECK ((state = 'running') = (lease_until IS NOT NULL))
      )`,
  `CREATE INDEX ingestion_jobs_fresh ON ${SCHEMA}.ingestion_jobs (fresh_since)
   WHERE fresh > 0 AND state IN ('idle', 'retrying')`,
  `CREATE INDEX ingestion_jobs_due ON ${SCHEMA}.ingestion_jobs (run_after) WHERE state = 'due'`,
  `CREATE INDEX ingestion_jobs_later ON ${SCHEMA}.ingestion_jobs (run_after) WHERE state IN ('retrying', 'blocked')`,
  `CREATE INDEX ingestion_jobs_leases ON ${SCHEMA}.ingestion_jobs (lease_until) WHERE state = 'running'`,
  `CREATE INDEX ingestion_jobs_of_org ON ${SCHEMA}.ingestion_jobs (org_id, project_uid)`,
];

const MESSAGES = [
  // stays when the message is ingested: that is what makes a second delivery harmless
  `CREATE TABLE ${SCHEMA}.ingestion_messages (
        set_uid     uuid NOT NULL REFERENCES ${SETS},
        episode_uid uuid NOT NULL,
        org_id      text NOT NULL,
        project_id  text NOT NULL,
        project_uid uuid NOT NULL,
        said_at     timestamptz NOT NULL,
        received_at timestamptz NOT NULL,
        taken_at    timestamptz,
        done_at     timestamptz,
        -- where in which trace it came; ingestion is shown there
        traceparents text[],
        PRIMARY KEY (set_uid, episode_uid)
      -- each row is taken, and then done: with room on its page, the first of these touches no index
      ) WITH (fillfactor = 60)`,
  `CREATE INDEX ingestion_messages_waiting ON ${SCHEMA}.ingestion_messages (set_uid, said_at, episode_uid)
   WHERE done_at IS NULL`,
  `CREATE INDEX ingestion_messages_of_project ON ${SCHEMA}.ingestion_messages (project_uid, episode_uid)`,
  // a message is ingested, or given up, for each category alone
  `CREATE TABLE ${SCHEMA}.ingestion_progress (
        set_uid     uuid NOT NULL,
        episode_uid uuid NOT NULL,
        category    text NOT NULL,
        outcome     text NOT NULL CHECK (outcome IN ('ingested', 'dead')),
        attempt     bigint NOT NULL,
        letter_uid  uuid,
        at          timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (set_uid, episode_uid, category),
        FOREIGN KEY (set_uid, episode_uid) REFERENCES ${SCHEMA}.ingestion_messages ON DELETE CASCADE
      )`,
  `CREATE INDEX ingestion_progress_dead ON ${SCHEMA}.ingestion_progress (letter_uid) WHERE letter_uid IS NOT NULL`,
  `CREATE TABLE ${SCHEMA}.ingestion_failures (
        set_uid  uuid NOT NULL REFERENCES ${SETS},
        category text NOT NULL,
        failures integer NOT NULL,
        retry_at timestamptz NOT NULL,
        code     text NOT NULL,
        reason   text NOT NULL,
        PRIMARY KEY (set_uid, category)
      )`,
];

const RECORDS = [
  // its messages are those whose progress names it
  `CREATE TABLE ${SCHEMA}.ingestion_dead_letters (
        uid         uuid PRIMARY KEY,
        set_uid     uuid NOT NULL REFERENCES ${SETS},
        org_id      text NOT NULL,
        project_uid uuid,
        category    text NOT NULL,
        code        text NOT NULL,
        reason      text NOT NULL,
        failures    integer NOT NULL,
        created_at  timestamptz NOT NULL DEFAULT now()
      )`,
  `CREATE INDEX ingestion_dead_letters_of_org
   ON ${SCHEMA}.ingestion_dead_letters (org_id, project_uid, created_at, uid)`,
  `CREATE TABLE ${SCHEMA}.ingestion_usage (
        day           date NOT NULL,
        org_id        text NOT NULL,
        project_uid   uuid,
        model         text NOT NULL,
        calls         bigint NOT NULL,
        failures      bigint NOT NULL,
        input_tokens  bigint NOT NULL,
        output_tokens bigint NOT NULL,
        -- at the prices of each call; absent as long as the model had none
        cost          numeric
      )`,
  `CREATE UNIQUE INDEX ingestion_usage_once
   ON ${SCHEMA}.ingestion_usage (org_id, project_uid, day, model) NULLS NOT DISTINCT`,
  // how far the comparison with the episodes of the episodic service is; next_at keeps replicas from repeating a step
  `CREATE TABLE ${SCHEMA}.ingestion_cursors (
        name     text PRIMARY KEY,
        position text[],
        next_at  timestamptz NOT NULL DEFAULT now()
      )`,
  // how many features a tag held when it was last consolidated: asking again at once would only cost
  `CREATE TABLE ${SCHEMA}.ingestion_consolidations (
        set_uid  uuid NOT NULL REFERENCES ${SETS},
        category text NOT NULL,
        tag      text NOT NULL,
        features integer NOT NULL,
        at       timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (set_uid, category, tag)
      )`,
];

export class Ingestion1763700000002 implements MigrationInterface {
  readonly name = 'Ingestion1763700000002';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...JOBS, ...MESSAGES, ...RECORDS]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [
      'consolidations',
      'cursors',
      'usage',
      'dead_letters',
      'failures',
      'progress',
      'messages',
      'jobs',
    ]) {
      await runner.query(`DROP TABLE ${SCHEMA}.ingestion_${table}`);
    }
  }
}
