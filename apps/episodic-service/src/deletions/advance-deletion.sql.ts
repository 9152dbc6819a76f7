import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameters: its uid, the last episode that was looked at (time and uid, null = none), how many were deleted, whether it was the last step. */
export const ADVANCE_DELETION = sql({
  text: `UPDATE ${SCHEMA}.deletions SET seen_at = coalesce($2::timestamptz, seen_at), seen_uid = coalesce($3::uuid, seen_uid),
           deleted = deleted + $4, failures = 0, next_at = clock_timestamp(),
           state = CASE WHEN $5::boolean THEN 'purging' ELSE state END,
           emptied_at = CASE WHEN $5::boolean THEN clock_timestamp() END
         WHERE uid = $1`,
});
