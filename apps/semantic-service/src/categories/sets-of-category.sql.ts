import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { SET_COLUMNS, SET_ROW } from '../sets/set-rows.js';
import { IS_OF_TYPE } from '../sets/set-rows.js';

/** The registered sets in which a category is at work, oldest first. Parameter: the category. */
export const SETS_OF_CATEGORY = sql({
  text: `SELECT ${SET_COLUMNS} FROM ${SCHEMA}.categories
         JOIN ${SCHEMA}.sets ON sets.uid = categories.set_uid OR EXISTS (
           SELECT FROM ${SCHEMA}.set_types WHERE set_types.uid = categories.set_type_uid AND ${IS_OF_TYPE}
             AND NOT EXISTS (SELECT FROM ${SCHEMA}.categories own
                             WHERE own.set_uid = sets.uid AND own.name = categories.name)
             AND NOT EXISTS (SELECT FROM ${SCHEMA}.disabled_categories disabled
                             WHERE disabled.set_uid = sets.uid AND disabled.name = categories.name))
         WHERE categories.uid = $1 ORDER BY sets.created_at, sets.uid`,
  row: SET_ROW,
});
