import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { SUMMARY_LEASE } from './summary-lease.js';

/** Counts what waited for long, or is to be tried again, as ordered now. Parameters: seconds since it was ordered, how many at most. */
export const TAKE_OVERDUE_SUMMARIES = sql({
  text: `WITH overdue AS (
           SELECT project_uid FROM ${SCHEMA}.summaries
           WHERE wanted_at IS NOT NULL AND ${SUMMARY_LEASE.isFree} AND ${SUMMARY_LEASE.mayBegin}
             AND coalesce(retry_at, ordered_at + make_interval(secs => $1), '-infinity') < now()
           ORDER BY wanted_at LIMIT $2 FOR UPDATE SKIP LOCKED
         ), enqueued AS (
           UPDATE ${SCHEMA}.summaries SET ordered_at = now(), retry_at = NULL FROM overdue
           WHERE summaries.project_uid = overdue.project_uid RETURNING summaries.project_uid)
         SELECT uid, org_id, project_id FROM enqueued JOIN ${SCHEMA}.projects ON uid = project_uid WHERE state = 'open'`,
  row: { uid: 'uuid', org_id: 'text', project_id: 'text' },
});
