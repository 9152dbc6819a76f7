import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { SUMMARY_LEASE } from './summary-lease.js';

/** Ends a claim; what was wanted meanwhile stays wanted. Parameters: the project and the fence of the claim. */
export const FINISH_SUMMARY = sql({
  text: `UPDATE ${SCHEMA}.summaries SET ${SUMMARY_LEASE.released}, ${SUMMARY_LEASE.ended}, failures = 0, retry_at = NULL,
           wanted_at = CASE WHEN wanted_at > claimed_at THEN wanted_at END
         WHERE project_uid = $1 AND ${SUMMARY_LEASE.isOwner(2)}`,
});
