import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { SUMMARY_LEASE } from './summary-lease.js';

/** Ends a claim in which not all could be done; other projects have their turn first. Parameters: the project and the fence of the claim. */
export const PAUSE_SUMMARY = sql({
  text: `UPDATE ${SCHEMA}.summaries SET ${SUMMARY_LEASE.released}, ${SUMMARY_LEASE.ended}, failures = 0, retry_at = NULL,
           wanted_at = now()
         WHERE project_uid = $1 AND ${SUMMARY_LEASE.isOwner(2)}`,
});
