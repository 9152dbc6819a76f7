import { SCHEMA } from '../../database.js';
import { NO_PROJECT } from '../../migrations/0102-fair-queues.js';

export const JOBS = `${SCHEMA}.ingestion_jobs`;
export const ORGS = `${SCHEMA}.ingestion_orgs`;
export const QUEUES = `${SCHEMA}.ingestion_queues`;

/** A span of milliseconds. @param parameter its number */
export const ms = (parameter: number): string => `$${parameter}::float8 * interval '1 ms'`;

/**
 * What is due in a queue. The project is a CASE, and not a COALESCE, which PostgreSQL lets use no index under row security: it
 * takes it for one that may tell of rows.
 */
export const isDueIn = ({ org, queue }: { readonly org: string; readonly queue: string }): string =>
  `state = 'due' AND job.org_id = ${org}
  AND CASE WHEN job.project_uid IS NULL THEN '${NO_PROJECT}'::uuid ELSE job.project_uid END = ${queue}.project_uid
  AND job.llm_name = ${queue}.llm_name`;

/**
 * SQL: whether nothing is due in a queue. The sequence is that of the index that knows, and one lookup finds it: for NOT EXISTS,
 * PostgreSQL joins every queue with all sets that are due, of which it believes that there are hardly any.
 */
export const isIdle = (of: { readonly org: string; readonly queue: string }): string =>
  `(SELECT job.set_uid FROM ${JOBS} AS job WHERE ${isDueIn(of)} ORDER BY job.run_after, job.set_uid LIMIT 1) IS NULL`;
