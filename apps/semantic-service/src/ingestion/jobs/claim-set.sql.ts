import { sql } from '@loci/persistence';
import { JOB_LEASE } from './job-lease.js';
import { isDueIn, JOBS, ORGS, QUEUES } from './queues.js';

/**
 * The first due set of the queue with the lowest turn, of the organization with the lowest turn. Parameter 1: ms of the lease, 2 and 3:
 * organizations and models that are left out.
 * @param isWaiting for a set that another transaction has locked, instead of passing it over
 */
export const claimSet = (isWaiting: boolean) =>
  sql({
    name: isWaiting ? 'ingestion_claim_waiting' : 'ingestion_claim',
    text: `
WITH next AS (
  SELECT picked.set_uid, picked.before, picked.put_off FROM ${ORGS} AS org CROSS JOIN LATERAL (
    SELECT first.set_uid, first.before, first.put_off FROM ${QUEUES} AS queue CROSS JOIN LATERAL (
      SELECT job.set_uid, job.unfinished AS before, job.put_off FROM ${JOBS} AS job WHERE ${isDueIn('queue')} AND job.run_after <= now()
      ORDER BY job.run_after, job.set_uid LIMIT 1 FOR UPDATE ${isWaiting ? '' : 'SKIP LOCKED'}) AS first
    WHERE queue.org_id = org.org_id AND queue.llm_name <> ALL($3::text[])
    ORDER BY queue.turn, queue.served, queue.project_uid, queue.llm_name LIMIT 1) AS picked
  WHERE org.org_id <> ALL($2::text[])
  ORDER BY org.turn, org.served, org.org_id LIMIT 1
), claimed AS (
  UPDATE ${JOBS} AS job
  SET state = 'running', ${JOB_LEASE.claimed(1)}, ${JOB_LEASE.begunIfFirst},
      fresh = 0, fresh_since = NULL, put_off = 0, code = NULL, reason = NULL, changed_at = now()
  FROM next WHERE job.set_uid = next.set_uid
  RETURNING job.set_uid, job.attempt, job.org_id, job.project_uid, job.llm_name, next.before AS unfinished, next.put_off)
SELECT * FROM claimed`,
    row: {
      set_uid: 'uuid',
      attempt: 'int8',
      org_id: 'text',
      project_uid: 'uuid?',
      llm_name: 'text',
      unfinished: 'int4',
      put_off: 'int4',
    },
  });
