import { type Instant } from '@loci/contracts';
import { narrowed, sql, unindexed } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { instantText } from './episode-rows.js';

/**
 * Makes tombstones of episodes, expired ones included; what was deleted must not live on in the summary.
 * Parameters: the project, the uids, and the producer whose episodes alone are removed (null = of any). One row: the uids of those that were there, and when the last of them was added.
 */
export const REMOVE_EPISODES = sql({
  text: `WITH removed AS (
           UPDATE ${SCHEMA}.episodes SET deleted_at = now()
           WHERE project_uid = $1 AND uid = ANY($2::uuid[]) AND ${unindexed('deleted_at IS NULL AND ($3::text IS NULL OR producer_id = $3)')}
           RETURNING uid, added_at, in_summary
         ), forgotten AS (
           UPDATE ${SCHEMA}.summaries
           SET text = '', is_reset = true, complete_to = NULL, fence = fence + 1, lease_until = NULL, unfinished = 0,
               wanted_at = now(), ordered_at = NULL, retry_at = NULL
           WHERE project_uid = $1 AND EXISTS (SELECT FROM removed WHERE in_summary))
         SELECT coalesce(array_agg(uid::text), '{}') AS uids, ${instantText('max(added_at)')} AS added_until FROM removed`,
  row: { uids: 'text[]', added_until: narrowed<Instant | null>('text?') },
});
