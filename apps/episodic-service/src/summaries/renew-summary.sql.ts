import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { SUMMARY_LEASE } from './summary-lease.js';

/** Parameters: the project and the fence of the claim, milliseconds. No row when the claim is lost. */
export const RENEW_SUMMARY = sql({
  text: `UPDATE ${SCHEMA}.summaries SET ${SUMMARY_LEASE.renewed(3)}
         WHERE project_uid = $1 AND ${SUMMARY_LEASE.isOwner(2)} RETURNING project_uid`,
  row: { project_uid: 'uuid' },
});
