import { narrowed, sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { contradicts, isFoundToContradict, type SubjectsOf } from '../features/conflicts.js';
import { IS_LIVE } from '../features/feature-conditions.js';
import { type Scope } from '../projects/project.js';
import { visibleRows } from '../projects/visible-rows.js';

/** The most features of one conflict that are shown. */
const MAX_SHOWN = 20;

const wanted = (scope: Pick<Scope, 'organization'>): string => `
  ${visibleRows(scope, 'features')} AND features.superseded_by IS NULL AND ${IS_LIVE}
    AND ($3::uuid IS NULL OR features.set_uid = $3) AND ($4::text IS NULL OR features.subject = $4)`;

const pairs = (scope: Pick<Scope, 'organization'>, subjects: SubjectsOf): string => `
  SELECT features.set_uid, features.category, features.tag, features.name, features.subject, features.is_trusted,
    features.source_project_uid, features.uid, features.created_at, other.uid AS other_uid, other.created_at AS other_created_at
  FROM ${SCHEMA}.features JOIN ${SCHEMA}.features other ON ${contradicts('features', 'other', subjects)}
  WHERE ${wanted(scope)} AND features.is_single_valued`;

/** Each pair once, the older first. */
const foundPairs = (scope: Pick<Scope, 'organization'>): string => `
  SELECT features.created_at AS since, ARRAY[features.uid, other.uid] AS uids
  FROM ${SCHEMA}.features JOIN ${SCHEMA}.features other ON ${isFoundToContradict('features', 'other')}
  WHERE ${wanted(scope)} AND features.contradicts IS NOT NULL
    AND (features.created_at, features.uid) < (other.created_at, other.uid)`;

/**
 * The uids of the features of each conflict of a page, with the number of all. Only a feature that says that its name has one
 * value, or names others, leads to others, so that the indexes `features_single_valued` and `features_contradicting` are read,
 * and not all features. What a consolidation found is a conflict of two. Parameters: organization, project, a set (null = all), a
 * subject (null = all), limit, offset.
 */
export const listConflicts = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `
WITH pairs AS (${pairs(scope, 'same')} UNION ALL ${pairs(scope, 'none')}
), members AS (
  SELECT set_uid, category, tag, name, subject, is_trusted, source_project_uid, uid, created_at FROM pairs
  UNION
  SELECT set_uid, category, tag, name, subject, is_trusted, source_project_uid, other_uid, other_created_at FROM pairs
), conflicts AS (
  SELECT min(created_at) AS since, (array_agg(uid ORDER BY created_at, uid))[1:${MAX_SHOWN}] AS uids
  FROM members GROUP BY set_uid, category, tag, name, subject, is_trusted, source_project_uid
  UNION ALL ${foundPairs(scope)}
)
SELECT (SELECT count(*)::int FROM conflicts) AS total, (
  SELECT coalesce(jsonb_agg(page.uids), '[]')
  FROM (SELECT uids FROM conflicts ORDER BY since, uids LIMIT $5 OFFSET $6) AS page) AS conflicts`,
    row: { total: 'int4', conflicts: narrowed<readonly (readonly string[])[]>('jsonb') },
  });
