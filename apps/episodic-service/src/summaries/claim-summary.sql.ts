import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameters: the project, seconds. No row when another worker has it, or nothing is wanted. */
export const CLAIM_SUMMARY = sql({
  text: `UPDATE ${SCHEMA}.summaries SET fence = fence + 1, ordered_at = NULL, claimed_at = now(),
           lease_until = now() + make_interval(secs => $2)
         WHERE project_uid = $1 AND wanted_at IS NOT NULL AND coalesce(lease_until, '-infinity') < now()
         RETURNING fence, text`,
  row: { fence: 'int4', text: 'text' },
});
