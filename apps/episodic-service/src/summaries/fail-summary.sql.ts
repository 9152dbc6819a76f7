import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Ends a claim, to be tried again later. Parameters: the project and the fence of the claim, the longest pause in seconds. */
export const FAIL_SUMMARY = sql({
  text: `UPDATE ${SCHEMA}.summaries SET lease_until = NULL, failures = failures + 1,
           retry_at = now() + make_interval(secs => least(2 ^ least(failures, 16), $3) * (0.5 + random() / 2))
         WHERE project_uid = $1 AND fence = $2`,
});
