import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { SUMMARY_LEASE } from './summary-lease.js';

/** Ends a claim, to be tried again later. Parameters: the project and the fence of the claim, the longest pause in seconds. */
export const FAIL_SUMMARY = sql({
  text: `UPDATE ${SCHEMA}.summaries SET ${SUMMARY_LEASE.released}, ${SUMMARY_LEASE.ended}, failures = failures + 1,
           retry_at = now() + make_interval(secs => least(2 ^ least(failures, 16), $3) * (0.5 + random() / 2))
         WHERE project_uid = $1 AND ${SUMMARY_LEASE.isOwner(2)}`,
});
