import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Ends a claim; what was wanted meanwhile stays wanted. Parameters: the project and the fence of the claim. */
export const FINISH_SUMMARY = sql({
  text: `UPDATE ${SCHEMA}.summaries SET lease_until = NULL, failures = 0, retry_at = NULL,
           wanted_at = CASE WHEN wanted_at > claimed_at THEN wanted_at END
         WHERE project_uid = $1 AND fence = $2`,
});
