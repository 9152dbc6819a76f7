import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { IS_OF_TYPE } from '../sets/set-rows.js';

/**
 * Those of the names that their set neither has, of its own or by its type, nor does without. Parameter: sets with names, as
 * JSON.
 */
export const LACKING_CATEGORIES = sql({
  text: `SELECT DISTINCT wanted.name
         FROM jsonb_to_recordset($1::jsonb) AS wanted(set_uid uuid, name text)
         WHERE NOT EXISTS (
           SELECT FROM ${SCHEMA}.categories WHERE categories.set_uid = wanted.set_uid AND categories.name = wanted.name)
         AND NOT EXISTS (
           SELECT FROM ${SCHEMA}.disabled_categories AS disabled
           WHERE disabled.set_uid = wanted.set_uid AND disabled.name = wanted.name)
         AND NOT EXISTS (
           SELECT FROM ${SCHEMA}.sets JOIN ${SCHEMA}.set_types ON ${IS_OF_TYPE}
           JOIN ${SCHEMA}.categories ON categories.set_type_uid = set_types.uid
           WHERE sets.uid = wanted.set_uid AND categories.name = wanted.name)`,
  row: { name: 'text' },
});
