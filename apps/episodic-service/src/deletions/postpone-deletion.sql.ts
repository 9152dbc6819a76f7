import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { DELETION_LEASE } from './deletion-lease.js';

/** After a failed step: the longer, the more steps failed in a row. Parameters: the project, its uid, the longest pause in seconds, the fence. */
export const POSTPONE_DELETION = sql({
  text: `UPDATE ${SCHEMA}.deletions
         SET failures = failures + 1, next_at = now() + make_interval(secs => least(2 ^ least(failures, 20), $3)),
             ${DELETION_LEASE.released}, ${DELETION_LEASE.ended}
         WHERE project_uid = $1 AND uid = $2 AND ${DELETION_LEASE.isOwner(4)}`,
});
