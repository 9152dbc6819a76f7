import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { PROBE_LEASE } from './probe-lease.js';

/** Parameters: kind, name, the fence of the claim, how many probes were unfinished before it. */
export const RELEASE_PROBE = sql({
  text: `UPDATE ${SCHEMA}.resources SET ${PROBE_LEASE.takenBack(4)}, ${PROBE_LEASE.released}
         WHERE kind = $1 AND name = $2 AND ${PROBE_LEASE.isOwner(3)}`,
});
