import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { BOUNDED_RECORD_ROW, boundedRecords } from './bounded-records.js';
import { IS_NOT_ENDED, IS_LIVE } from './feature-conditions.js';

const FEATURES = `${SCHEMA}.features`;

/** Whether two features say the same by the unique index `features_once`, whenever they hold. */
const SAYS_THE_SAME = `duplicate.set_uid = features.set_uid AND duplicate.subject IS NOT DISTINCT FROM features.subject
    AND md5(duplicate.category) = md5(features.category) AND md5(duplicate.tag) = md5(features.tag)
    AND md5(duplicate.name) = md5(features.name) AND md5(duplicate.value) = md5(features.value)
    AND duplicate.is_trusted = features.is_trusted
    AND duplicate.source_project_uid IS NOT DISTINCT FROM features.source_project_uid AND duplicate.deleted_at IS NULL`;

/** The comparisons of the unique index `features_once`, as far as they name a feature. */
const IS_NAMED = `features.set_uid = given.set_uid AND features.subject IS NOT DISTINCT FROM given.subject
    AND md5(features.category) = md5(given.category)
    AND md5(features.tag) = md5(given.tag) AND md5(features.name) = md5(given.name)
    AND features.is_trusted = given.is_trusted
    AND features.source_project_uid IS NOT DISTINCT FROM given.source_project_uid AND ${IS_LIVE}`;

const given = (parameter: string, more: string): string =>
  `jsonb_to_recordset(${parameter}::jsonb) AS given(
    set_uid uuid, subject text, category text, tag text, name text, ${more}is_trusted boolean, source_project_uid uuid)`;

/**
 * All features that a batch of changes may touch. Parameters: what features are to say and since when, what those that have
 * not ended are called, and uids, with the set in which these are; the former two as JSON; and the most bytes. With what has not ended comes what
 * ended and says the same: it becomes one with that as soon as this ends, too. With all of them come those that they are known
 * to contradict. What expired is changed like what holds.
 */
export const RECORDS_TO_CHANGE = sql({
  name: 'records_to_change',
  text: `
WITH wanted AS (
  SELECT features.set_uid, features.uid FROM ${given('$1', 'value text, since timestamptz, ')}
  JOIN ${FEATURES} ON ${IS_NAMED} AND md5(features.value) = md5(given.value)
    AND (features.valid_until IS NULL OR given.since IS NULL OR features.valid_until >= given.since)
  UNION ALL
  SELECT duplicate.set_uid, duplicate.uid FROM ${given('$2', '')} JOIN ${FEATURES} ON ${IS_NAMED} AND ${IS_NOT_ENDED}
  JOIN ${FEATURES} AS duplicate ON ${SAYS_THE_SAME}
  UNION ALL
  SELECT set_uid, uid FROM ${FEATURES} WHERE uid = ANY($3::uuid[]) AND set_uid = $4
)
${boundedRecords(
  `(set_uid, uid) IN (
  SELECT set_uid, uid FROM wanted
  UNION ALL
  SELECT set_uid, unnest(contradicts) FROM wanted JOIN ${FEATURES} USING (set_uid, uid)
) AND ${IS_LIVE}`,
  '$5',
)}`,
  row: BOUNDED_RECORD_ROW,
});
