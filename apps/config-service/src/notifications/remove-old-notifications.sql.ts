import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameters: before which position, how many at most. */
export const REMOVE_OLD_NOTIFICATIONS = sql({
  text: `WITH old AS (
           SELECT position FROM ${SCHEMA}.notifications WHERE position < $1::bigint ORDER BY position LIMIT $2),
         removed AS (
           DELETE FROM ${SCHEMA}.notifications USING old WHERE notifications.position = old.position RETURNING 1)
         SELECT count(*)::int AS removed FROM removed`,
  row: { removed: 'int4' },
});
