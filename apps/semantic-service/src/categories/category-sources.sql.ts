import { mostRows, narrowed, type RowOf, sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { IS_OF_TYPE } from '../sets/set-rows.js';
import { type CATEGORY_SOURCE_ROW } from './category-rows.js';

/** What JSON adds to the texts of one. */
const BYTES_OF_ONE = 250;

/** What its texts and those of its tags take of an answer. It is known without reading them. */
export const CATEGORY_BYTES = `octet_length(categories.name) + octet_length(categories.prompt)
  + coalesce(octet_length(categories.description), 0) + ${BYTES_OF_ONE}
  + (SELECT coalesce(sum(octet_length(tag.name) + octet_length(tag.description) + 6), 0)::int
     FROM ${SCHEMA}.category_tags AS tag WHERE tag.category_uid = categories.uid)`;

/**
 * A set's own categories and the templates of its type, with their tags, oldest first, unless they have too many bytes
 * together; and the names that it does without, of those and of built-in categories. Parameters: the set, the names of built-in
 * categories, the bytes.
 */
export const CATEGORY_SOURCES = sql({
  name: 'category_sources',
  text: `
WITH page AS MATERIALIZED (
  SELECT categories.uid, set_uid, set_type_uid, categories.name, prompt, categories.description, categories.ttl_seconds,
         categories.created_at, ${CATEGORY_BYTES} AS bytes
  FROM ${SCHEMA}.categories
  WHERE set_uid = $1 OR set_type_uid IN (
    SELECT set_types.uid FROM ${SCHEMA}.set_types JOIN ${SCHEMA}.sets ON ${IS_OF_TYPE} WHERE sets.uid = $1)
  ORDER BY categories.created_at, categories.uid LIMIT ${mostRows(BYTES_OF_ONE)}),
weighed AS (SELECT coalesce(sum(bytes), 0)::float8 AS page_bytes FROM page)
SELECT page_bytes,
  ARRAY(SELECT name FROM ${SCHEMA}.disabled_categories
        WHERE set_uid = $1 AND (name = ANY($2::text[]) OR name IN (SELECT page.name FROM page))) AS disabled,
  (SELECT coalesce(json_agg(source), '[]') FROM (
    SELECT uid, set_uid, set_type_uid, name, prompt, description, ttl_seconds,
      (SELECT coalesce(jsonb_object_agg(name, description ORDER BY uid), '{}')
       FROM ${SCHEMA}.category_tags WHERE category_uid = page.uid) AS tags
    FROM page WHERE weighed.page_bytes <= $3
    ORDER BY page.created_at, page.uid) AS source) AS sources
FROM weighed`,
  row: {
    page_bytes: 'float8',
    disabled: 'text[]',
    sources: narrowed<readonly RowOf<typeof CATEGORY_SOURCE_ROW>[]>('json'),
  },
});
