import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { DELETION_LEASE } from './deletion-lease.js';

/** Parameters: the project, its uid, the last episode that was looked at (time and uid, null = none), how many were deleted, whether it was the last step. */
export const ADVANCE_DELETION = sql({
  text: `UPDATE ${SCHEMA}.deletions SET seen_at = coalesce($3::timestamptz, seen_at), seen_uid = coalesce($4::uuid, seen_uid),
           deleted = deleted + $5, failures = 0, next_at = clock_timestamp(),
           state = CASE WHEN $6::boolean THEN 'purging' ELSE state END,
           emptied_at = CASE WHEN $6::boolean THEN clock_timestamp() END,
           ${DELETION_LEASE.released}, ${DELETION_LEASE.ended}
         WHERE project_uid = $1 AND uid = $2`,
});
