import { sql } from '@loci/persistence';
import { DELIVERIES } from './webhook-rows.js';

/** Parameters: hours, how many at most. */
export const REMOVE_OLD_DELIVERIES = sql({
  text: `WITH old AS (
           SELECT webhook_id, position FROM ${DELIVERIES}
           WHERE last_attempt_at < now() - make_interval(hours => $1::int) ORDER BY last_attempt_at LIMIT $2),
         removed AS (DELETE FROM ${DELIVERIES} AS d USING old
           WHERE d.webhook_id = old.webhook_id AND d.position = old.position RETURNING 1)
         SELECT count(*)::int AS removed FROM removed`,
  row: { removed: 'int4' },
});
