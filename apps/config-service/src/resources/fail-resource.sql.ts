import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { PROBE_LEASE } from './probe-lease.js';

/** Parameters: kind, name, reason, failed probes in a row, seconds until it is probed again (null = not by itself). */
export const FAIL_RESOURCE = sql({
  text: `UPDATE ${SCHEMA}.resources
         SET status = 'failed', error = $3, failures = $4,
             next_probe_at = now() + make_interval(secs => $5), ${PROBE_LEASE.released}, ${PROBE_LEASE.ended}
         WHERE kind = $1 AND name = $2`,
});
