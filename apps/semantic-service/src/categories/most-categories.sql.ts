import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { IS_OF_TYPE } from '../sets/set-rows.js';
import { CATEGORY_BYTES } from './category-sources.sql.js';

/**
 * The most that a set of the organization has, or the set, or a set of the type, or the type itself.
 * @param inSet of the categories of a set, those of its type among them
 * @param inType of the categories of a type
 */
const mostOf = (inSet: string, inType: string): string => `
SELECT coalesce(max(amount), 0)::float8 AS most FROM (
  SELECT ${inSet} AS amount
  FROM (SELECT DISTINCT set_uid FROM ${SCHEMA}.categories
        WHERE org_id = $1 AND set_uid IS NOT NULL AND ($2::uuid IS NULL OR set_uid = $2)) AS own
  JOIN ${SCHEMA}.sets ON sets.uid = own.set_uid
  LEFT JOIN ${SCHEMA}.set_types ON ${IS_OF_TYPE}
  JOIN ${SCHEMA}.categories ON categories.set_uid = sets.uid OR categories.set_type_uid = set_types.uid
  WHERE $3::uuid IS NULL OR set_types.uid = $3
  GROUP BY sets.uid
  UNION ALL
  SELECT ${inType} FROM ${SCHEMA}.categories
  WHERE org_id = $1 AND $2::uuid IS NULL AND set_type_uid IS NOT NULL AND ($3::uuid IS NULL OR set_type_uid = $3)
  GROUP BY set_type_uid
) AS each_set`;

const ROW = { most: 'float8' } as const;

/**
 * How many categories the set has that has most; a name that it shares with its type counts once. Parameters: the organization;
 * a set or null; a set type or null.
 */
export const MOST_CATEGORIES = sql({ text: mostOf('count(DISTINCT categories.name)', 'count(*)'), row: ROW });

const BYTES = `sum(${CATEGORY_BYTES})`;

/** As `MOST_CATEGORIES`, their bytes; those of a name that a set shares with its type twice, because both are read. */
export const MOST_CATEGORY_BYTES = sql({ text: mostOf(BYTES, BYTES), row: ROW });
