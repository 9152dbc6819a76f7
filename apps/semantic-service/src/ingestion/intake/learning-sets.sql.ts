import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';
import { IS_OF_TYPE } from '../../sets/set-rows.js';

const isDisabled = (name: string): string =>
  `EXISTS (SELECT FROM ${SCHEMA}.disabled_categories off WHERE off.set_uid = given.uid AND off.name = ${name})`;

/** Those of some registered sets in which any category is at work. Parameter: the sets as JSON, with the names of their built-in categories. */
export const LEARNING_SETS = sql({
  name: 'learning_sets',
  text: `
SELECT given.uid FROM jsonb_to_recordset($1::jsonb) AS given(uid uuid, built_in text[])
WHERE EXISTS (SELECT FROM unnest(given.built_in) AS name WHERE NOT ${isDisabled('name')})
   OR EXISTS (SELECT FROM ${SCHEMA}.categories WHERE set_uid = given.uid)
   OR EXISTS (SELECT FROM ${SCHEMA}.sets JOIN ${SCHEMA}.set_types ON ${IS_OF_TYPE}
              JOIN ${SCHEMA}.categories ON categories.set_type_uid = set_types.uid
              WHERE sets.uid = given.uid AND NOT ${isDisabled('categories.name')})`,
  row: { uid: 'uuid' },
});
