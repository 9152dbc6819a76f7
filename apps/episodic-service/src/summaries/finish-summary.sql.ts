import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { SUMMARY_LEASE } from './summary-lease.js';

const WAS_WANTED_MEANWHILE = 'wanted_at > claimed_at';

/**
 * Ends a claim; what was wanted meanwhile stays wanted. Failures go on counting until a text is written: a claim ends also when
 * what a model refused was left out.
 * Parameters: the project and the fence of the claim, until when every episode is in the text or is left out of it.
 */
export const FINISH_SUMMARY = sql({
  text: `UPDATE ${SCHEMA}.summaries SET ${SUMMARY_LEASE.released}, ${SUMMARY_LEASE.ended}, retry_at = NULL,
           wanted_at = CASE WHEN ${WAS_WANTED_MEANWHILE} THEN wanted_at END,
           -- what was added meanwhile may be older
           complete_to = CASE WHEN ${WAS_WANTED_MEANWHILE} THEN complete_to ELSE greatest(complete_to, $3::timestamptz) END
         WHERE project_uid = $1 AND ${SUMMARY_LEASE.isOwner(2)}`,
});
