import { sql } from '@loci/persistence';

/** Parameter: uids of sets, in the sequence in which they are locked. */
export const LOCK_SETS = sql({
  name: 'lock_sets',
  text: 'SELECT pg_advisory_xact_lock(hashtextextended(uid, 1)) AS lock FROM unnest($1::text[]) AS uid',
  row: { lock: 'void' },
});
