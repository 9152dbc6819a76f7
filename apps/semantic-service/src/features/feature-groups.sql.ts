import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { IS_LIVE } from './feature-rows.js';

/** Parameters: the set, the category. */
export const FEATURE_GROUPS = sql({
  name: 'feature_groups',
  text: `
SELECT tag, is_trusted, source_project_uid, count(*)::int AS count FROM ${SCHEMA}.features
WHERE set_uid = $1 AND category = $2 AND ${IS_LIVE} GROUP BY tag, is_trusted, source_project_uid`,
  row: { tag: 'text', is_trusted: 'bool', source_project_uid: 'uuid?', count: 'int4' },
});
