import { LeaseSql } from '@loci/persistence';

/** The summary of a project is written by one worker at a time. */
export const SUMMARY_LEASE = new LeaseSql({
  until: 'lease_until',
  fence: { column: 'fence', kind: 'counter' },
  unfinished: 'unfinished',
});
