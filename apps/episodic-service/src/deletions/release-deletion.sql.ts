import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { DELETION_LEASE } from './deletion-lease.js';

/** A step that was not done: its project is being closed. Parameters: the project, its uid, the fence. */
export const RELEASE_DELETION = sql({
  text: `UPDATE ${SCHEMA}.deletions SET ${DELETION_LEASE.released}, ${DELETION_LEASE.ended}
         WHERE project_uid = $1 AND uid = $2 AND ${DELETION_LEASE.isOwner(3)}`,
});
