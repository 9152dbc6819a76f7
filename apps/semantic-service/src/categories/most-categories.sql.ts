import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { IS_OF_TYPE } from '../sets/set-rows.js';
import { CATEGORY_BYTES } from './category-sources.sql.js';

/**
 * How many categories the set has that has most, and how many bytes that which has most of these. A name that a set shares
 * with its type counts once, its bytes twice: both are read. Parameters: the
 * organization; a set or null; a set type or null.
 */
export const MOST_CATEGORIES = sql({
  text: `
SELECT coalesce(max(categories), 0)::int AS most, coalesce(max(bytes), 0)::float8 AS bytes FROM (
  SELECT count(DISTINCT categories.name) AS categories, sum(${CATEGORY_BYTES}) AS bytes
  FROM (SELECT DISTINCT set_uid FROM ${SCHEMA}.categories
        WHERE org_id = $1 AND set_uid IS NOT NULL AND ($2::uuid IS NULL OR set_uid = $2)) AS own
  JOIN ${SCHEMA}.sets ON sets.uid = own.set_uid
  LEFT JOIN ${SCHEMA}.set_types ON ${IS_OF_TYPE}
  JOIN ${SCHEMA}.categories ON categories.set_uid = sets.uid OR categories.set_type_uid = set_types.uid
  WHERE $3::uuid IS NULL OR set_types.uid = $3
  GROUP BY sets.uid
  UNION ALL
  SELECT count(*), sum(${CATEGORY_BYTES}) FROM ${SCHEMA}.categories
  WHERE org_id = $1 AND $2::uuid IS NULL AND set_type_uid IS NOT NULL AND ($3::uuid IS NULL OR set_type_uid = $3)
  GROUP BY set_type_uid
) AS each_set`,
  row: { most: 'int4', bytes: 'float8' },
});
