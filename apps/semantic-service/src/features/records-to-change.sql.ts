import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { IS_LIVE, RECORD_COLUMNS, RECORD_ROW } from './feature-rows.js';

const FEATURES = `${SCHEMA}.features`;

/** The comparisons of the unique index `features_once`, as far as they name a feature. */
const IS_NAMED = `features.set_uid = given.set_uid AND features.subject IS NOT DISTINCT FROM given.subject
    AND md5(features.category) = md5(given.category)
    AND md5(features.tag) = md5(given.tag) AND md5(features.name) = md5(given.name)
    AND features.is_trusted = given.is_trusted
    AND features.source_project_uid IS NOT DISTINCT FROM given.source_project_uid AND ${IS_LIVE}`;

const given = (parameter: string, value: string): string =>
  `jsonb_to_recordset(${parameter}::jsonb) AS given(
    set_uid uuid, subject text, category text, tag text, name text, ${value}is_trusted boolean, source_project_uid uuid)`;

/**
 * All features that a batch of changes may touch. Parameters: what features are to say, what they are called, and uids,
 * with the set in which these are; the former two as JSON.
 */
export const RECORDS_TO_CHANGE = sql({
  name: 'records_to_change',
  text: `
SELECT ${RECORD_COLUMNS} FROM ${FEATURES} WHERE uid IN (
  SELECT features.uid FROM ${given('$1', 'value text, ')}
  JOIN ${FEATURES} ON ${IS_NAMED} AND md5(features.value) = md5(given.value)
  UNION ALL
  SELECT features.uid FROM ${given('$2', '')} JOIN ${FEATURES} ON ${IS_NAMED}
  UNION ALL
  SELECT uid FROM ${FEATURES} WHERE uid = ANY($3::uuid[]) AND set_uid = $4
) AND ${IS_LIVE} ORDER BY created_at, uid`,
  row: RECORD_ROW,
});
