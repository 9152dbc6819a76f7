import { LeaseSql } from '@loci/persistence';

/** A set belongs to one worker while its job is running. */
export const JOB_LEASE = new LeaseSql({
  until: 'lease_until',
  fence: { column: 'attempt', kind: 'counter' },
  unfinished: 'unfinished',
});
