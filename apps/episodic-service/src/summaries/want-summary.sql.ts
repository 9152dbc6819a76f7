import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameters: the project, uids of episodes that may have to be summarised. One row when the work has to be ordered. */
export const WANT_SUMMARY = sql({
  text: `WITH oldest AS (
           SELECT min(created_at) AS created_at FROM ${SCHEMA}.episodes WHERE project_uid = $1 AND uid = ANY ($2::uuid[])),
         wanted AS (
           INSERT INTO ${SCHEMA}.summaries AS summary (project_uid, wanted_at, ordered_at)
           SELECT uid, now(), now() FROM ${SCHEMA}.projects WHERE uid = $1 AND state = 'open'
           ON CONFLICT (project_uid) DO UPDATE SET
             wanted_at = now(), ordered_at = coalesce(summary.ordered_at, now()),
             -- an episode that was said long ago but added now is not in the text
             complete_to = CASE WHEN summary.complete_to IS NOT NULL
                             THEN least(summary.complete_to, (SELECT created_at FROM oldest)) END,
             late_from = least(summary.late_from, (SELECT created_at FROM oldest))
           RETURNING project_uid, ordered_at)
         SELECT project_uid FROM wanted WHERE ordered_at = now()`,
  row: { project_uid: 'uuid' },
});
