import { LeaseSql } from '@loci/persistence';

/** A worker notes that a step begins. The lock of the row in the transaction of the step keeps others away for as long as it takes. */
export const DELETION_LEASE = new LeaseSql({
  until: 'lease_until',
  fence: 'until',
  unfinished: 'unfinished',
});
