import { boundedRow, mostRows, sql, withinBytes } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { IS_OF_TYPE, SET_COLUMNS, SET_ROW } from '../sets/set-rows.js';

/** What JSON adds to an id. */
const BYTES_OF_ONE = 3;

/** The registered sets in which the category `$1` is at work. */
const AT_WORK = `${SCHEMA}.categories
  JOIN ${SCHEMA}.sets ON sets.uid = categories.set_uid OR EXISTS (
    SELECT FROM ${SCHEMA}.set_types WHERE set_types.uid = categories.set_type_uid AND ${IS_OF_TYPE}
      AND NOT EXISTS (SELECT FROM ${SCHEMA}.categories own
                      WHERE own.set_uid = sets.uid AND own.name = categories.name)
      AND NOT EXISTS (SELECT FROM ${SCHEMA}.disabled_categories disabled
                      WHERE disabled.set_uid = sets.uid AND disabled.name = categories.name))
  WHERE categories.uid = $1`;

/** Some of the sets in which a category is at work. Parameters: the category; the last set before, or null; how many at most. */
export const SETS_OF_CATEGORY = sql({
  text: `SELECT ${SET_COLUMNS} FROM ${AT_WORK} AND ($2::uuid IS NULL OR sets.uid > $2) ORDER BY sets.uid LIMIT $3`,
  row: SET_ROW,
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
