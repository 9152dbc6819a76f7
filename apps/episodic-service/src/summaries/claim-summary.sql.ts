import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { SUMMARY_LEASE } from './summary-lease.js';

/** Parameters: the project, milliseconds. No row when another worker has it, nothing is wanted, or it pauses after a failure. */
export const CLAIM_SUMMARY = sql({
  text: `UPDATE ${SCHEMA}.summaries SET ${SUMMARY_LEASE.claimed(2)}, ${SUMMARY_LEASE.begun}, ordered_at = NULL,
           claimed_at = now(), late_from = NULL
         WHERE project_uid = $1 AND wanted_at IS NOT NULL AND coalesce(retry_at <= now(), true) AND ${SUMMARY_LEASE.isFree} AND ${SUMMARY_LEASE.mayBegin}
         RETURNING ${SUMMARY_LEASE.token} AS token, ${SUMMARY_LEASE.unfinishedBefore} AS unfinished, text,
           is_reset AS "isReset", halvings, refused_uid AS "refusedUid", refusals`,
  row: {
    token: 'text',
    unfinished: 'int4',
    text: 'text',
    isReset: 'bool',
    halvings: 'int4',
    refusedUid: 'uuid?',
    refusals: 'int4',
  },
});
