import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { DELETION_LEASE } from './deletion-lease.js';

/**
 * Ends a deletion once no tombstone of its project is left that is as old as the last of its own; until then it is looked
 * at again a second later. Answers a row when it has ended. Parameters: its uid, the project, when its last episode was deleted.
 */
export const FINISH_DELETION = sql({
  text: `WITH waiting AS (
           SELECT EXISTS (SELECT FROM ${SCHEMA}.episodes WHERE project_uid = $2 AND deleted_at IS NOT NULL
                          AND deleted_at <= $3::timestamptz) AS has_tombstones),
         looked_at AS (
         UPDATE ${SCHEMA}.deletions SET
           state = CASE WHEN has_tombstones THEN state ELSE 'done' END,
           filter = CASE WHEN has_tombstones THEN filter END,
           finished_at = CASE WHEN has_tombstones THEN NULL ELSE now() END,
           next_at = now() + interval '1 second', ${DELETION_LEASE.released}, ${DELETION_LEASE.ended}
         FROM waiting WHERE project_uid = $2 AND uid = $1
         RETURNING state, deleted)
         SELECT deleted FROM looked_at WHERE state = 'done'`,
  row: { deleted: 'int4' },
});
