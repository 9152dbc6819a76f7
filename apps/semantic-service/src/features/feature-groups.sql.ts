import { sql } from '@loci/persistence';
import { IS_GOING_ON } from './feature-conditions.js';
import { GROWTH } from './partition.js';
import { LOOKED_AT, recentOfSubjects } from './recent-of-subjects.js';

/**
 * Of the features that have not ended, among those of each subject that are looked at. Parameters: the set, the categories, the subjects (NULL among
 * them: those without).
 */
export const FEATURE_GROUPS = sql({
  name: 'feature_groups',
  text: `
WITH recent AS (
  SELECT features.subject, is_trusted, source_project_uid, category, created_at, valid_until, expires_at,
         count(*) OVER (PARTITION BY features.subject) >= ${LOOKED_AT} AS is_cut
  FROM ${recentOfSubjects(1, 3)}
)
SELECT subject, is_trusted, source_project_uid, count(*)::int AS count,
       CASE WHEN bool_or(is_cut) THEN (array_agg(created_at ORDER BY created_at DESC))[${GROWTH}] END AS "grownAt"
FROM recent AS features WHERE category = ANY($2::text[]) AND ${IS_GOING_ON} GROUP BY subject, is_trusted, source_project_uid`,
  row: {
    subject: 'text?',
    is_trusted: 'bool',
    source_project_uid: 'uuid?',
    count: 'int4',
    grownAt: 'timestamptz?',
  },
});
