import { SCHEMA } from '../../database.js';
import { NO_PROJECT } from '../../migrations/0102-fair-queues.js';

export const JOBS = `${SCHEMA}.ingestion_jobs`;
export const ORGS = `${SCHEMA}.ingestion_orgs`;
export const QUEUES = `${SCHEMA}.ingestion_queues`;

/** A span of milliseconds. @param parameter its number */
export const ms = (parameter: number): string => `$${parameter}::float8 * interval '1 ms'`;

/** What is due in a queue. */
export const isDueIn = (queue: string): string => `state = 'due' AND job.org_id = ${queue}.org_id
  AND coalesce(job.project_uid, '${NO_PROJECT}') = ${queue}.project_uid AND job.llm_name = ${queue}.llm_name`;
