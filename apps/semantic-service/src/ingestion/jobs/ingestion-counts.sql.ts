import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** What waits to be ingested, of all tenants. It costs the same at any size, but for the letters, which are few. */
export const INGESTION_COUNTS = sql({
  text: `
SELECT coalesce(sum(waiting), 0)::float8 AS waiting, coalesce(sum(idle), 0)::float8 AS idle,
       coalesce(sum(due), 0)::float8 AS due, coalesce(sum(running), 0)::float8 AS running,
       coalesce(sum(retrying), 0)::float8 AS retrying, coalesce(sum(blocked), 0)::float8 AS blocked,
       coalesce(extract(epoch FROM now() - least(
         (SELECT min(received_at) FROM ${SCHEMA}.ingestion_messages WHERE done_at IS NULL AND received_at > '-infinity'),
         (SELECT min(deferred_since) FROM ${SCHEMA}.ingestion_jobs WHERE deferred > 0))), 0)::float8 AS oldest_seconds,
       (SELECT count(*)::float8 FROM ${SCHEMA}.ingestion_dead_letters) AS letters
FROM ${SCHEMA}.ingestion_counts`,
  row: {
    waiting: 'float8',
    idle: 'float8',
    due: 'float8',
    running: 'float8',
    retrying: 'float8',
    blocked: 'float8',
    oldest_seconds: 'float8',
    letters: 'float8',
  },
});
