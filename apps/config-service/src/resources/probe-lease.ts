import { LeaseSql } from '@loci/persistence';

/** A probe belongs to one process. What settles it clears the lease with everything else about probes. */
export const PROBE_LEASE = new LeaseSql({
  until: 'probe_until',
  fence: { column: 'probe_token', kind: 'uuid' },
  unfinished: 'unfinished_probes',
});
