import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ROWS_OF_ALL } from '@loci/persistence';
import { rowsReadBy } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { rowsRead } from '../../test/rows-read.js';
import { SemanticSpec } from '../../test/semantic-spec.js';
import { SCHEMA } from '../database.js';
import { NEXT_MESSAGES } from './extraction/next-messages.sql.js';
import { NEXT_SUSPECTS } from './extraction/next-suspects.sql.js';
import { SETTLE_MESSAGES, SETTLED_AT_ONCE } from './extraction/settle-messages.sql.js';
import { SUSPECTS_OF_SET } from './extraction/suspects-of-set.sql.js';
import { claimSet } from './jobs/claim-set.sql.js';
import { FIND_IDLE_ORGS } from './jobs/find-idle-orgs.sql.js';
import { INGESTION_COUNTS } from './jobs/ingestion-counts.sql.js';
import { NEXT_TRACES } from './jobs/take-up-messages.sql.js';

const PROJECTS = 2_000;

const DONE = 500;
const WAITING = 20_000;
/** Read already, and waiting for the next statement that takes what is done out of the backlog. */
const READ = 150;
const BATCH = 50;
/** Of which a model made nothing, and which are tried again. */
const SUSPECTS = 10;

let spec: SemanticSpec;

beforeAll(async () => {
  spec = await SemanticSpec.create();
  await spec.unitOfWork.single(async (manager) => {
    // whose sets they are does not matter here
    for (const table of ['jobs', 'messages'])
      await manager.query(
        `ALTER TABLE ${SCHEMA}.ingestion_${table} DROP CONSTRAINT ingestion_${table}_set_uid_fkey`,
      );
    await manager.query(
      `INSERT INTO ${SCHEMA}.ingestion_jobs (set_uid, org_id, project_uid, state, ordered_at, run_after)
       SELECT gen_random_uuid(), 'flood', gen_random_uuid(), 'due', now(), now() - interval '1 hour'
       FROM generate_series(1, $1::int)`,
      [PROJECTS],
    );
    for (const table of ['jobs', 'orgs', 'queues'])
      await manager.query(`ANALYZE ${SCHEMA}.ingestion_${table}`);
  }, ROWS_OF_ALL);
});

afterAll(() => spec.close());

const execute = (text: string, values: readonly unknown[] = []): Promise<unknown> =>
  spec.unitOfWork.single((manager) => manager.query(text, [...values]), ROWS_OF_ALL);

/** Rows that a statement reads; by default by the plan that serves any parameters. */
const rowsReadPrepared = (
  { text }: { readonly text: string },
  values: string,
  mode = 'force_generic_plan',
): Promise<number> =>
  spec.unitOfWork.single(async (manager) => {
    await manager.query(`PREPARE looked_at AS ${text}`);
    await manager.query(`SET LOCAL plan_cache_mode = ${mode}`);
    const rows = await rowsReadBy(
      (statement, parameters) => manager.query(statement, parameters),
      `EXECUTE looked_at(${values})`,
      [],
    );
    await manager.query('DEALLOCATE looked_at');
    return rows;
  }, ROWS_OF_ALL);

test('a claim reads a few rows, however many projects of an organization have something due', async () => {
  expect(await rowsReadPrepared(claimSet(false), `60000, '{}', '{}'`)).toBeLessThan(50);
  expect(await rowsReadPrepared(claimSet(true), `60000, '{}', '{}'`)).toBeLessThan(50);
});

test('a look for idle queues reads what is due of each once', async () => {
  expect(await rowsReadPrepared(FIND_IDLE_ORGS, '200')).toBeLessThan(3 * 200);
});

describe('of a set in which very much waits', () => {
  let setUid: string;

  /** Messages of a new set, which wait, or all of which are done. @returns the uid of the set */
  async function insert(messages: number, { isDone = false } = {}): Promise<string> {
    const uid = uuidv7();
    await execute(
      `INSERT INTO ${SCHEMA}.ingestion_messages
       (set_uid, episode_uid, org_id, project_id, project_uid, said_at, added_at, received_at, taken_at, done_at)
     SELECT $1::uuid, gen_random_uuid(), 'acme', 'main', $1::uuid, now() + step * interval '1 ms', now(), now(), now(),
            CASE WHEN $3::boolean THEN now() END
     FROM generate_series(1, $2::int) AS step`,
      [uid, messages, isDone],
    );
    return uid;
  }

  /** A burst after a quiet time: PostgreSQL looked at the tables while nothing waited. */
  beforeEach(async () => {
    await execute(`DELETE FROM ${SCHEMA}.ingestion_messages`);
    await insert(DONE, { isDone: true });
    for (const table of ['messages', 'progress', 'unfinished']) {
      await execute(`ALTER TABLE ${SCHEMA}.ingestion_${table} SET (autovacuum_enabled = false)`);
      await spec.query(`VACUUM (ANALYZE) ${SCHEMA}.ingestion_${table}`);
    }
    setUid = await insert(WAITING);
    await execute(
      `INSERT INTO ${SCHEMA}.ingestion_progress (set_uid, episode_uid, category, outcome, attempt)
     SELECT set_uid, episode_uid, 'profile', 'ingested', 1 FROM ${SCHEMA}.ingestion_messages
     WHERE set_uid = $1 ORDER BY said_at LIMIT $2`,
      [setUid, READ],
    );
  });

  describe.each(['force_generic_plan', 'force_custom_plan'])('by %s', (mode) => {
    test('the next messages are read, and what was read already', async () => {
      expect(await rowsReadPrepared(NEXT_MESSAGES, `'${setUid}', 'profile', ${BATCH}`, mode)).toBeLessThan(
        3 * (READ + BATCH),
      );
      expect(await rowsReadPrepared(NEXT_TRACES, `'${setUid}'`, mode)).toBeLessThan(4 * BATCH);
    });

    test('suspects are looked up by their keys', async () => {
      await execute(
        `INSERT INTO ${SCHEMA}.ingestion_unfinished
         (set_uid, episode_uid, category, batch_uid, failures, retry_at, code, reason)
       SELECT set_uid, episode_uid, 'profile', set_uid, 1, now(), 'model_reply_unusable', 'It was not JSON.'
       FROM ${SCHEMA}.ingestion_messages WHERE set_uid = $1 ORDER BY said_at DESC LIMIT $2`,
        [setUid, SUSPECTS],
      );
      expect(await rowsReadPrepared(SUSPECTS_OF_SET, `'${setUid}'`, mode)).toBeLessThan(4 * SUSPECTS);
      expect(await rowsReadPrepared(NEXT_SUSPECTS, `'${setUid}', 'profile'`, mode)).toBeLessThan(
        8 * SUSPECTS,
      );
    });

    test('what is done is taken out by its keys', async () => {
      expect(await rowsReadPrepared(SETTLE_MESSAGES, `'${setUid}', '{profile}'`, mode)).toBeLessThan(
        4 * SETTLED_AT_ONCE,
      );
    });
  });

  test('how long the oldest has waited is read off an index', async () => {
    expect(await rowsRead(spec.unitOfWork, INGESTION_COUNTS.text, [], ROWS_OF_ALL)).toBeLessThan(10);
  });
});
