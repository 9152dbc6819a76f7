import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { SUMMARY_LEASE } from './summary-lease.js';

/**
 * The text stays as it is. Parameters: the project and the fence of the claim, until when every other episode is in the text.
 * No row when the claim is lost.
 */
export const LEAVE_OUT_EPISODE = sql({
  text: `UPDATE ${SCHEMA}.summaries SET complete_to = least($3::timestamptz, late_from), late_from = NULL,
           refused_uid = NULL, refusals = 0, ${SUMMARY_LEASE.gotOn}
         WHERE project_uid = $1 AND ${SUMMARY_LEASE.isOwner(2)} AND NOT is_reset RETURNING project_uid`,
  row: { project_uid: 'uuid' },
});
