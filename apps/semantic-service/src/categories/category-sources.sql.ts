import { narrowed, type RowOf, sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { IS_OF_TYPE } from '../sets/set-rows.js';
import { type CATEGORY_SOURCE_ROW } from './category-rows.js';

/**
 * A set's own categories and the templates of its type, with their tags, oldest first, and the names that it does without.
 * Parameter: the set.
 */
export const CATEGORY_SOURCES = sql({
  name: 'category_sources',
  text: `
SELECT ARRAY(SELECT name FROM ${SCHEMA}.disabled_categories WHERE set_uid = $1) AS disabled,
  (SELECT coalesce(json_agg(source), '[]') FROM (
    SELECT categories.uid, set_uid, set_type_uid, categories.name, prompt, categories.description, categories.ttl_seconds,
      (SELECT coalesce(jsonb_object_agg(name, description ORDER BY uid), '{}')
       FROM ${SCHEMA}.category_tags WHERE category_uid = categories.uid) AS tags
    FROM ${SCHEMA}.categories
    WHERE set_uid = $1 OR set_type_uid IN (
      SELECT set_types.uid FROM ${SCHEMA}.set_types JOIN ${SCHEMA}.sets ON ${IS_OF_TYPE} WHERE sets.uid = $1)
    ORDER BY categories.created_at, categories.uid) AS source) AS sources`,
  row: { disabled: 'text[]', sources: narrowed<readonly RowOf<typeof CATEGORY_SOURCE_ROW>[]>('json') },
});
