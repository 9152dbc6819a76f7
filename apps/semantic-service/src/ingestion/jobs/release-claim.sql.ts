import { sql } from '@loci/persistence';
import { JOBS, ms } from './queues.js';

export const RELEASE_CLAIM = sql({
  name: 'ingestion_release',
  text: `UPDATE ${JOBS}
        SET state = CASE WHEN $3 = 'more' OR $3 IN ('done', 'retrying') AND fresh >= $4 THEN 'due'
                         WHEN $3 = 'done' THEN 'idle' ELSE $3 END,
            lease_until = NULL, ordered_at = now(), run_after = now() + ${ms(5)},
            code = $6, reason = $7, unfinished = 0, changed_at = now()
        WHERE set_uid = $1 AND attempt = $2 AND state = 'running'
        RETURNING state`,
  row: { state: 'text' },
});
