import { sql } from '@loci/persistence';

/** Nothing becomes due in these organizations until the transaction ends. Those that are in use are left out. */
export const LOCK_IDLE_ORGS = sql({
  name: 'ingestion_lock_idle',
  text: `
SELECT org_id FROM unnest($1::text[]) AS org_id
WHERE pg_try_advisory_xact_lock(hashtextextended(org_id, 1763700102))`,
  row: { org_id: 'text' },
});
