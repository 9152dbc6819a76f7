import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { SUMMARY_LEASE } from './summary-lease.js';

/**
 * What came while the text was written may be older than what is in it, and is read next. Parameters: the project and the
 * fence of the claim, the text, until when every other episode is in it. No row when the claim is lost.
 */
export const SAVE_SUMMARY = sql({
  text: `UPDATE ${SCHEMA}.summaries SET text = $3, complete_to = least($4::timestamptz, late_from), late_from = NULL,
           failures = 0, halvings = greatest(halvings - 1, 0), refused_uid = NULL, refusals = 0, ${SUMMARY_LEASE.gotOn}
         WHERE project_uid = $1 AND ${SUMMARY_LEASE.isOwner(2)} AND NOT is_reset RETURNING project_uid`,
  row: { project_uid: 'uuid' },
});
