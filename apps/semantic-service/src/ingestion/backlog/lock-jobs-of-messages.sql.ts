import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** SQL: jobs are locked first, in the order of their uids, as everywhere. @param condition on messages */
export const jobsLockedFor = (condition: string): string => `
  SELECT set_uid FROM ${SCHEMA}.ingestion_jobs
  WHERE set_uid IN (SELECT set_uid FROM ${SCHEMA}.ingestion_messages WHERE ${condition})
  ORDER BY set_uid FOR UPDATE`;

/** @param condition on messages, with its parameters */
export const lockJobsOfMessages = (condition: string) =>
  sql({ text: jobsLockedFor(condition), row: { set_uid: 'uuid' } });
