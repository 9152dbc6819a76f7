import { sql } from '@loci/persistence';
import { WAITING_SUSPECTS } from './unfinished-rows.js';

/** Parameter: the set. */
export const SUSPECTS_OF_SET = sql({
  name: 'ingestion_suspects',
  text: `
SELECT category, count(*)::int AS messages, (array_agg(code ORDER BY retry_at))[1] AS code,
       (array_agg(reason ORDER BY retry_at))[1] AS reason,
       greatest(0, extract(epoch FROM min(retry_at) - now()) * 1000)::float8 AS retry_in_ms
FROM ${WAITING_SUSPECTS} GROUP BY category`,
  row: { category: 'text', messages: 'int4', code: 'text', reason: 'text', retry_in_ms: 'float8' },
});
