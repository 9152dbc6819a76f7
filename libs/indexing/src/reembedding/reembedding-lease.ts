import { LeaseSql } from '@loci/persistence';

/** An index version that is being built belongs to one worker. A pause after a failure is a lease without an owner. */
export const REEMBEDDING_LEASE = new LeaseSql({
  until: 'lease_until',
  fence: { column: 'fence', kind: 'counter' },
});
