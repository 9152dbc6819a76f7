import { type PreparedStatement } from '@loci/persistence';
import { SCHEMA } from '../../database.js';
import { NO_PROJECT } from '../../migrations/0102-fair-queues.js';

export const JOBS = `${SCHEMA}.ingestion_jobs`;
const ORGS = `${SCHEMA}.ingestion_orgs`;
const QUEUES = `${SCHEMA}.ingestion_queues`;

/** A span of milliseconds. @param parameter its place */
export const ms = (parameter: number): string => `$${parameter}::float8 * interval '1 ms'`;

/** What is due in a queue. */
const IS_DUE_IN = (queue: string): string => `state = 'due' AND job.org_id = ${queue}.org_id
  AND coalesce(job.project_uid, '${NO_PROJECT}') = ${queue}.project_uid AND job.llm_name = ${queue}.llm_name`;

/**
 * The first due set of the queue with the lowest turn, of the organization with the lowest turn. Parameters 2 and 3:
 * organizations and models that are left out.
 */
const CLAIM = (locking: string): string => `
WITH next AS (
  SELECT picked.set_uid, picked.unfinished FROM ${ORGS} AS org CROSS JOIN LATERAL (
    SELECT first.set_uid, first.unfinished FROM ${QUEUES} AS queue CROSS JOIN LATERAL (
      SELECT job.set_uid, job.unfinished FROM ${JOBS} AS job WHERE ${IS_DUE_IN('queue')} AND job.run_after <= now()
      ORDER BY job.run_after, job.set_uid LIMIT 1 FOR UPDATE ${locking}) AS first
    WHERE queue.org_id = org.org_id AND queue.llm_name <> ALL($3::text[])
    ORDER BY queue.turn, queue.served, queue.project_uid, queue.llm_name LIMIT 1) AS picked
  WHERE org.org_id <> ALL($2::text[])
  ORDER BY org.turn, org.served, org.org_id LIMIT 1
), claimed AS (
  UPDATE ${JOBS} AS job
  SET state = 'running', attempt = attempt + 1, lease_until = clock_timestamp() + ${ms(1)},
      fresh = 0, fresh_since = NULL, code = NULL, reason = NULL, changed_at = now(),
      unfinished = greatest(next.unfinished, 1)
  FROM next WHERE job.set_uid = next.set_uid
  RETURNING job.set_uid, job.attempt, job.org_id, job.project_uid, job.llm_name, next.unfinished)
SELECT * FROM claimed`;

/** First among those that nobody touches, then waiting for one that intake has its hands on. */
export const CLAIMS: readonly PreparedStatement[] = [
  { name: 'ingestion_claim', sql: CLAIM('SKIP LOCKED') },
  { name: 'ingestion_claim_waiting', sql: CLAIM('') },
];

/** Parameter 4: how far a claim moves the organization back. Queues are locked before organizations, as everywhere. */
export const TAKE_TURN: PreparedStatement = {
  name: 'ingestion_take_turn',
  sql: `
WITH queue AS (
  UPDATE ${QUEUES} SET turn = turn + 1, served = served + 1
  WHERE org_id = $1 AND project_uid = coalesce($2::uuid, '${NO_PROJECT}') AND llm_name = $3 RETURNING 1)
UPDATE ${ORGS} SET turn = turn + $4::float8, served = served + 1 WHERE org_id = $1 AND (SELECT count(*) FROM queue) >= 0`,
};

/** Organizations among those with the lowest turns where a queue is empty; whoever is passed over has them. */
export const FIND_IDLE: PreparedStatement = {
  name: 'ingestion_find_idle',
  sql: `
SELECT org_id FROM (SELECT org_id FROM ${ORGS} ORDER BY turn, served, org_id LIMIT $1) AS org
WHERE NOT EXISTS (SELECT FROM ${QUEUES} AS queue WHERE queue.org_id = org.org_id) OR EXISTS (
  SELECT FROM (SELECT * FROM ${QUEUES} AS queue WHERE queue.org_id = org.org_id
               ORDER BY turn, served, project_uid, llm_name LIMIT $1) AS queue
  WHERE NOT EXISTS (SELECT FROM ${JOBS} AS job WHERE ${IS_DUE_IN('queue')}))
ORDER BY org_id`,
};

/** Nothing becomes due in these organizations until the transaction ends. Those that are in use are left out. */
export const LOCK_IDLE: PreparedStatement = {
  name: 'ingestion_lock_idle',
  sql: `
SELECT org_id FROM unnest($1::text[]) AS org_id
WHERE pg_try_advisory_xact_lock(hashtextextended(org_id, 1763700102))`,
};

export const REMOVE_IDLE_QUEUES: PreparedStatement = {
  name: 'ingestion_remove_idle_queues',
  sql: `
DELETE FROM ${QUEUES} AS queue WHERE org_id = ANY($1::text[])
  AND NOT EXISTS (SELECT FROM ${JOBS} AS job WHERE ${IS_DUE_IN('queue')})`,
};

export const REMOVE_IDLE_ORGS: PreparedStatement = {
  name: 'ingestion_remove_idle_orgs',
  sql: `
DELETE FROM ${ORGS} AS org WHERE org_id = ANY($1::text[])
  AND NOT EXISTS (SELECT FROM ${QUEUES} AS queue WHERE queue.org_id = org.org_id)`,
};

/** Each kind of what is ripe has an index of its own. */
const RIPE = [
  `state IN ('idle', 'retrying') AND fresh > 0 AND fresh_since <= now() - ${ms(1)} ORDER BY fresh_since`,
  `state IN ('idle', 'retrying') AND fresh > 0 AND fresh >= $2 ORDER BY fresh DESC`,
  `state IN ('retrying', 'blocked') AND run_after <= now() ORDER BY run_after`,
  `state = 'running' AND lease_until < clock_timestamp() ORDER BY lease_until`,
  `state = 'due' AND ordered_at < now() - ${ms(3)} ORDER BY ordered_at`,
];

export const SCHEDULE: PreparedStatement = {
  name: 'ingestion_schedule',
  sql: `
WITH ripe AS (
  ${RIPE.map(
    (condition) => `SELECT set_uid FROM (
    SELECT set_uid FROM ${JOBS} WHERE ${condition} LIMIT $4 FOR UPDATE SKIP LOCKED) AS one`,
  ).join('\n  UNION ')}
  LIMIT $4
), due AS (
  UPDATE ${JOBS} AS job
  SET state = 'due', run_after = now(), ordered_at = now(), lease_until = NULL, changed_at = now()
  FROM ripe WHERE job.set_uid = ripe.set_uid RETURNING job.set_uid)
SELECT set_uid FROM due`,
};
