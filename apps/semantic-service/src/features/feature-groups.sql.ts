import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { IS_GOING_ON, IS_LIVE } from './feature-conditions.js';

/** Of the features that have not ended. Parameters: the set, the categories, the subjects (NULL among them: those without). */
export const FEATURE_GROUPS = sql({
  name: 'feature_groups',
  text: `
SELECT subject, is_trusted, source_project_uid, count(*)::int AS count FROM ${SCHEMA}.features
WHERE set_uid = $1 AND category = ANY($2::text[]) AND ${IS_LIVE} AND ${IS_GOING_ON}
  AND (subject = ANY($3::text[]) OR subject IS NULL AND array_position($3, NULL) IS NOT NULL) GROUP BY subject, is_trusted, source_project_uid`,
  row: { subject: 'text?', is_trusted: 'bool', source_project_uid: 'uuid?', count: 'int4' },
});
