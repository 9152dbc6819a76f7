import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { PROBE_LEASE } from './probe-lease.js';

/** Parameters: kind, name, milliseconds until others may claim it. */
export const CLAIM_PROBE = sql({
  text: `UPDATE ${SCHEMA}.resources
         SET status = 'pending', ${PROBE_LEASE.claimed(3)}, ${PROBE_LEASE.begun}
         WHERE kind = $1 AND name = $2 RETURNING ${PROBE_LEASE.token} AS token`,
  row: { token: 'text' },
});
