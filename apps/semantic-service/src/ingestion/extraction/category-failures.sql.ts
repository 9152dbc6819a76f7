import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** Parameter: the set. */
export const CATEGORY_FAILURES = sql({
  name: 'ingestion_failures',
  text: `
SELECT category, failures, code, reason,
       greatest(0, extract(epoch FROM retry_at - now()) * 1000)::float8 AS retry_in_ms
FROM ${SCHEMA}.ingestion_failures WHERE set_uid = $1`,
  row: { category: 'text', failures: 'int4', code: 'text', reason: 'text', retry_in_ms: 'float8' },
});
