import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameters: kind, name, the token of the claim, seconds until others may claim it. */
export const CLAIM_PROBE = sql({
  text: `UPDATE ${SCHEMA}.resources
         SET status = 'pending', probe_token = $3, probe_until = now() + make_interval(secs => $4)
         WHERE kind = $1 AND name = $2`,
});
