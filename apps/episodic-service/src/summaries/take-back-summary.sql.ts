import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { SUMMARY_LEASE } from './summary-lease.js';

/** Parameters: the project and the fence of the claim, how many attempts were unfinished before it. */
export const TAKE_BACK_SUMMARY = sql({
  text: `UPDATE ${SCHEMA}.summaries SET ${SUMMARY_LEASE.takenBack(3)}
         WHERE project_uid = $1 AND ${SUMMARY_LEASE.isOwner(2)}`,
});
