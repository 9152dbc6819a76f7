import { boundedRow, mostRows, sql, withinBytes } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { IS_LIVE } from '../features/feature-conditions.js';
import { IS_OF_TYPE } from '../sets/set-rows.js';

/** What JSON adds to an id. */
const BYTES_OF_ONE = 3;

/** The registered sets in which the category `$1` is at work. Branches, as an OR would read the sets of all. */
const AT_WORK = `${SCHEMA}.categories CROSS JOIN LATERAL (
    SELECT own.uid, own.id, own.created_at FROM ${SCHEMA}.sets AS own WHERE own.uid = categories.set_uid
    UNION ALL
    SELECT sets.uid, sets.id, sets.created_at FROM ${SCHEMA}.set_types JOIN ${SCHEMA}.sets ON ${IS_OF_TYPE}
    WHERE set_types.uid = categories.set_type_uid
      AND NOT EXISTS (SELECT FROM ${SCHEMA}.categories own
                      WHERE own.set_uid = sets.uid AND own.name = categories.name)
      AND NOT EXISTS (SELECT FROM ${SCHEMA}.disabled_categories disabled
                      WHERE disabled.set_uid = sets.uid AND disabled.name = categories.name)
  ) AS sets
  WHERE categories.uid = $1`;

/** Whether a set has features in the category, or knows which messages removed some of it. */
const HOLDS_ANY = `(
  EXISTS (SELECT FROM ${SCHEMA}.features
          WHERE features.set_uid = sets.uid AND md5(features.category) = md5(categories.name) AND ${IS_LIVE})
  OR EXISTS (SELECT FROM ${SCHEMA}.feature_history AS history
             WHERE history.set_uid = sets.uid AND history.said_by IS NOT NULL
               AND history.before ->> 'category' = categories.name))`;

/**
 * Some of the sets in which a category is at work. Parameters: the category; the last set before, or null; how many at most;
 * whether only those in which something of it is known.
 */
export const SETS_OF_CATEGORY = sql({
  text: `SELECT sets.uid FROM ${AT_WORK} AND ($2::uuid IS NULL OR sets.uid > $2) AND (NOT $4::boolean OR ${HOLDS_ANY})
         ORDER BY sets.uid LIMIT $3`,
  row: { uid: 'uuid' },
});

/** The ids of all of them, oldest first. Parameters: the category, the bytes. */
export const SET_IDS_OF_CATEGORY = sql({
  text: withinBytes({
    page: `SELECT sets.uid, sets.id, sets.created_at FROM ${AT_WORK}
           ORDER BY sets.created_at, sets.uid LIMIT ${mostRows(BYTES_OF_ONE)}`,
    columns: 'uid, id',
    bytes: `octet_length(id) + ${BYTES_OF_ONE}`,
    order: 'created_at, uid',
    maxBytes: '$2',
  }),
  row: boundedRow({ uid: 'uuid', id: 'text' }),
});
