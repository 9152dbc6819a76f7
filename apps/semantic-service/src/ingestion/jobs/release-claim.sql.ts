import { sql } from '@loci/persistence';
import { IS_HELD } from './held-claim.js';
import { JOB_LEASE } from './job-lease.js';
import { JOBS, ms } from './queues.js';

/**
 * Parameters: the set, the attempt, how the pass ended, how many messages make it due, ms to wait, code and reason, and
 * how many more messages there must be this time.
 */
export const RELEASE_CLAIM = sql({
  name: 'ingestion_release',
  text: `UPDATE ${JOBS}
        SET state = CASE WHEN $3 = 'more' OR $3 IN ('done', 'retrying') AND fresh - $8 >= $4 THEN 'due'
                         WHEN $3 = 'done' THEN 'idle' ELSE $3 END,
            ${JOB_LEASE.released}, ${JOB_LEASE.ended}, ordered_at = now(), run_after = now() + ${ms(5)},
            put_off = $8, code = $6, reason = $7, changed_at = now()
        WHERE ${IS_HELD}
        RETURNING state`,
  row: { state: 'text' },
});
