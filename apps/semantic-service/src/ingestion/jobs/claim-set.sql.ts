import { sql } from '@loci/persistence';
import { JOB_LEASE } from './job-lease.js';
import { isDueIn, JOBS, ORGS, QUEUES } from './queues.js';

/**
 * SQL: a recursive query that gives rows in the sequence of an index, one lookup for each that is asked for. With ORDER BY over a
 * join, the planner looks into every queue, and locks a set of each, before it sorts: it takes a condition such as "no model
 * of these" for one that hardly any row fulfils.
 */
const inTurn = (name: string, table: string, columns: readonly string[], condition = 'true'): string => {
  const sequence = columns.join(', ');
  const of = (row: string): string => columns.map((column) => `${row}.${column}`).join(', ');
  return `${name} AS (
    (SELECT ${sequence} FROM ${table} WHERE ${condition} ORDER BY ${sequence} LIMIT 1)
    UNION ALL
    SELECT following.* FROM ${name} CROSS JOIN LATERAL (
      SELECT ${sequence} FROM ${table} AS later WHERE ${condition} AND (${of('later')}) > (${of(name)})
      ORDER BY ${sequence} LIMIT 1) AS following)`;
};

/**
 * The first due set of the queue with the lowest turn, of the organization with the lowest turn. Parameter 1: ms of the lease, 2 and 3:
 * organizations and models that are left out.
 * @param isWaiting for a set that another transaction has locked, instead of passing it over
 */
export const claimSet = (isWaiting: boolean) =>
  sql({
    name: isWaiting ? 'ingestion_claim_waiting' : 'ingestion_claim',
    text: `
WITH RECURSIVE ${inTurn('org', ORGS, ['turn', 'served', 'org_id'])}, next AS (
  SELECT picked.* FROM org CROSS JOIN LATERAL (
    WITH RECURSIVE ${inTurn('queue', QUEUES, ['turn', 'served', 'project_uid', 'llm_name'], 'org_id = org.org_id')}
    SELECT first.* FROM queue CROSS JOIN LATERAL (
      SELECT job.set_uid, job.unfinished AS before, job.put_off, job.fresh FROM ${JOBS} AS job
      WHERE ${isDueIn({ org: 'org.org_id', queue: 'queue' })} AND job.run_after <= now()
      ORDER BY job.run_after, job.set_uid LIMIT 1 FOR UPDATE ${isWaiting ? '' : 'SKIP LOCKED'}) AS first
    WHERE queue.llm_name <> ALL($3::text[]) LIMIT 1) AS picked
  WHERE org.org_id <> ALL($2::text[]) LIMIT 1
), claimed AS (
  UPDATE ${JOBS} AS job
  SET state = 'running', ${JOB_LEASE.claimed(1)}, ${JOB_LEASE.begunIfFirst},
      put_off = 0, code = NULL, reason = NULL, changed_at = now()
  FROM next WHERE job.set_uid = next.set_uid
  RETURNING job.set_uid, job.attempt, job.org_id, job.project_uid, job.llm_name, next.before AS unfinished, next.put_off,
            next.fresh)
SELECT * FROM claimed`,
    row: {
      set_uid: 'uuid',
      attempt: 'int8',
      org_id: 'text',
      project_uid: 'uuid?',
      llm_name: 'text',
      unfinished: 'int4',
      put_off: 'int4',
      fresh: 'int4',
    },
  });
