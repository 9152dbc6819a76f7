import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameters: the project and the fence of the claim, seconds. */
export const RENEW_SUMMARY = sql({
  text: `UPDATE ${SCHEMA}.summaries SET lease_until = now() + make_interval(secs => $3)
         WHERE project_uid = $1 AND fence = $2`,
});
