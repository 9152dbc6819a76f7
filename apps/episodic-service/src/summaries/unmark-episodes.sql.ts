import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { SUMMARY_LEASE } from './summary-lease.js';

/** After a reset no episode is in the summary. Parameters: the project and the fence of the claim, how many at most. */
export const UNMARK_EPISODES = sql({
  text: `UPDATE ${SCHEMA}.episodes SET in_summary = false WHERE project_uid = $1 AND uid IN (
           SELECT uid FROM ${SCHEMA}.episodes WHERE project_uid = $1 AND in_summary LIMIT $3)
         AND EXISTS (SELECT FROM ${SCHEMA}.summaries WHERE project_uid = $1 AND is_reset AND ${SUMMARY_LEASE.isOwner(2)})
         RETURNING uid`,
  row: { uid: 'uuid' },
});
