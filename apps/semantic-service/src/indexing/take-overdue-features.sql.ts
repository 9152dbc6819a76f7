import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

const FEATURES = `${SCHEMA}.features`;

/** Counts features and tombstones that waited for long as ordered now, by set. Parameters: seconds, how many at most. */
export const TAKE_OVERDUE_FEATURES = sql({
  text: `WITH taken AS (
           SELECT uid FROM ${FEATURES}
           WHERE ((indexed_at IS NULL AND deleted_at IS NULL) OR deleted_at IS NOT NULL)
             AND greatest(ordered_at, deleted_at, updated_at) < now() - make_interval(secs => $1)
           ORDER BY updated_at LIMIT $2 FOR UPDATE SKIP LOCKED
         ), ordered AS (
           UPDATE ${FEATURES} SET ordered_at = now() FROM taken WHERE features.uid = taken.uid
           RETURNING features.uid, features.set_uid
         )
         SELECT set_uid, array_agg(uid) AS uids FROM ordered GROUP BY set_uid`,
  row: { set_uid: 'uuid', uids: 'uuid[]' },
});
