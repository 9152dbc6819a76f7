import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { IS_OF_TYPE } from '../sets/set-rows.js';

/**
 * How many categories the set has that has most. A name that a set shares with its type counts once. Parameters: the
 * organization; a set or null; a set type or null.
 */
export const MOST_CATEGORIES = sql({
  text: `
SELECT coalesce(max(categories), 0)::int AS most FROM (
  SELECT count(DISTINCT named.name) AS categories
  FROM (SELECT DISTINCT set_uid FROM ${SCHEMA}.categories
        WHERE org_id = $1 AND set_uid IS NOT NULL AND ($2::uuid IS NULL OR set_uid = $2)) AS own
  JOIN ${SCHEMA}.sets ON sets.uid = own.set_uid
  LEFT JOIN ${SCHEMA}.set_types ON ${IS_OF_TYPE}
  JOIN ${SCHEMA}.categories AS named ON named.set_uid = sets.uid OR named.set_type_uid = set_types.uid
  WHERE $3::uuid IS NULL OR set_types.uid = $3
  GROUP BY sets.uid
  UNION ALL
  SELECT count(*) FROM ${SCHEMA}.categories
  WHERE org_id = $1 AND $2::uuid IS NULL AND set_type_uid IS NOT NULL AND ($3::uuid IS NULL OR set_type_uid = $3)
  GROUP BY set_type_uid
) AS each_set`,
  row: { most: 'int4' },
});
