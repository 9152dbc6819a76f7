import { LeaseSql } from '@loci/persistence';
import { MAX_UNFINISHED } from '@loci/platform';

/** An index version that is being built belongs to one worker. A pause after a failure is a lease without an owner. */
export const REEMBEDDING_LEASE = new LeaseSql({
  until: 'lease_until',
  fence: { column: 'fence', kind: 'counter' },
  unfinished: 'unfinished',
});

const SET_ASIDE =
  `The process that made the vectors ended in the middle of it, ${MAX_UNFINISHED} times in a row, so it is not tried ` +
  'again by itself; the log of the worker says why. Searches go on with the former embedder. ' +
  'An operator can have it tried again.';

/** Why an index version that is being built is stuck: an expression on its columns, null when it is not. */
export const REEMBEDDING_PROBLEM = `CASE WHEN ${REEMBEDDING_LEASE.isSetAside} THEN '${SET_ASIDE}' ELSE problem END`;
