import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** What waits to be ingested, of all tenants. */
export const INGESTION_COUNTS = sql({
  text: `
SELECT (SELECT coalesce(sum(waiting), 0)::float8 FROM ${SCHEMA}.ingestion_jobs) AS waiting,
       (SELECT coalesce(extract(epoch FROM now() - min(received_at)), 0)::float8
        FROM ${SCHEMA}.ingestion_messages WHERE done_at IS NULL) AS oldest_seconds,
       (SELECT count(*)::float8 FROM ${SCHEMA}.ingestion_dead_letters) AS letters`,
  row: { waiting: 'float8', oldest_seconds: 'float8', letters: 'float8' },
});
