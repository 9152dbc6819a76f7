import { sql } from '@loci/persistence';
import { JOB_LEASE } from './job-lease.js';
import { JOBS, ms } from './queues.js';

/** Each kind of what is ripe has an index of its own, in this sequence; some are taken up a few at a time. */
const RIPE: readonly (readonly [condition: string, sequence: string, limit?: string])[] = [
  [`state IN ('idle', 'retrying') AND fresh > 0 AND fresh_since <= now() - ${ms(1)}`, 'fresh_since'],
  [`state IN ('idle', 'retrying') AND fresh > 0 AND fresh - put_off >= $2`, '(fresh - put_off) DESC'],
  [
    `(state = 'retrying' OR state = 'blocked' AND code IS DISTINCT FROM 'resource_not_ready') AND run_after <= now()`,
    'run_after',
  ],
  // what waits for its model costs nothing until that is ready, however many sets there are
  [
    `state = 'blocked' AND code = 'resource_not_ready' AND llm_name = ANY($4::text[]) AND run_after <= now()`,
    'llm_name, run_after',
  ],
  [`state = 'running' AND ${JOB_LEASE.hasRunOut} AND set_uid <> ALL($5::uuid[])`, 'lease_until'],
  // an order only wakes a worker: one makes up for any number that were lost
  [`state = 'due' AND ordered_at < now() - ${ms(3)}`, 'ordered_at', '1'],
];

/** Whether any set would become due. Parameters: the first five of `SCHEDULE_SETS`. */
export const IS_ANY_RIPE = sql({
  name: 'ingestion_is_any_ripe',
  text: `SELECT ${RIPE.map(
    ([condition, sequence]) =>
      `EXISTS (SELECT FROM (SELECT FROM ${JOBS} WHERE ${condition} ORDER BY ${sequence} LIMIT 1) AS one)`,
  ).join('\n  OR ')} AS is_any`,
  row: { is_any: 'bool' },
});

/**
 * Whether the clock makes any set due within a while, or any is due or worked on: looks have to go on. Enough messages make
 * one due when they are taken in, and what waits for its model is due when that is ready. Parameters: ms of age, ms of the while.
 */
export const IS_ANY_DUE_SOON = sql({
  name: 'ingestion_is_any_due_soon',
  text: `SELECT ${[
    [
      `state IN ('idle', 'retrying') AND fresh > 0 AND fresh_since <= now() - ${ms(1)} + ${ms(2)}`,
      'fresh_since',
    ],
    [
      `(state = 'retrying' OR state = 'blocked' AND code IS DISTINCT FROM 'resource_not_ready') AND run_after <= now() + ${ms(2)}`,
      'run_after',
    ],
    [`state = 'running'`, 'lease_until'],
    [`state = 'due'`, 'ordered_at'],
  ]
    .map(
      ([condition, sequence]) =>
        `EXISTS (SELECT FROM (SELECT FROM ${JOBS} WHERE ${condition} ORDER BY ${sequence} LIMIT 1) AS one)`,
    )
    .join('\n  OR ')} AS is_any`,
  row: { is_any: 'bool' },
});

/** Parameters: ms of age, number of messages, ms until an order is taken for lost, the names of the models that are ready, sets that the process itself works on, how many at most. It answers the sets that became due. */
export const SCHEDULE_SETS = sql({
  name: 'ingestion_schedule',
  text: `
WITH ripe AS (
  ${RIPE.map(
    ([condition, sequence, limit = '$6']) => `SELECT set_uid FROM (
    SELECT set_uid FROM ${JOBS} WHERE ${condition} ORDER BY ${sequence} LIMIT ${limit} FOR UPDATE SKIP LOCKED) AS one`,
  ).join('\n  UNION ')}
  LIMIT $6
), due AS (
  UPDATE ${JOBS} AS job
  SET state = 'due', run_after = now(), ordered_at = now(), ${JOB_LEASE.released}, changed_at = now()
  FROM ripe WHERE job.set_uid = ripe.set_uid RETURNING job.set_uid)
SELECT set_uid FROM due`,
  row: { set_uid: 'uuid' },
});
