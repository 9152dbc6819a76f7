import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { SUMMARY_LEASE } from './summary-lease.js';

/**
 * Ends a claim, to be tried again later. Parameters: the project and the fence of the claim, the longest pause in seconds,
 * whether a model refused several episodes, the one that it refused alone (null: none).
 */
export const FAIL_SUMMARY = sql({
  text: `UPDATE ${SCHEMA}.summaries SET ${SUMMARY_LEASE.released}, ${SUMMARY_LEASE.ended}, failures = failures + 1,
           retry_at = now() + make_interval(secs => least(2 ^ least(failures, 16), $3) * (0.5 + random() / 2)),
           halvings = halvings + $4::bool::int, refused_uid = coalesce($5::uuid, refused_uid),
           refusals = CASE WHEN $5::uuid IS NULL THEN refusals WHEN $5::uuid = refused_uid THEN refusals + 1 ELSE 1 END
         WHERE project_uid = $1 AND ${SUMMARY_LEASE.isOwner(2)}`,
});
