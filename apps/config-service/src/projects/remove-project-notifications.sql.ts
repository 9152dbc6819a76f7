import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameters: the uid of the project, how many at most. */
export const REMOVE_PROJECT_NOTIFICATIONS = sql({
  text: `WITH gone AS (
           SELECT position FROM ${SCHEMA}.notifications
           WHERE project_uid = $1 ORDER BY position LIMIT $2 FOR UPDATE SKIP LOCKED),
         removed AS (
           DELETE FROM ${SCHEMA}.notifications USING gone WHERE notifications.position = gone.position RETURNING 1)
         SELECT count(*)::int AS removed FROM removed`,
  row: { removed: 'int4' },
});
