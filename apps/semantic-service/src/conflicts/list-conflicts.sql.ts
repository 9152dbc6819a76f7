import { narrowed, sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import {
  contradicts,
  IS_CONTESTABLE,
  isFoundToContradict,
  of,
  projects,
  said,
  SUBJECTS,
  type SubjectsOf,
} from '../features/conflicts.js';
import { IS_LIVE } from '../features/feature-conditions.js';
import { type Scope } from '../projects/project.js';
import { visibleRows } from '../projects/visible-rows.js';

/** The most features of one conflict that are shown. */
const MAX_SHOWN = 20;

const FEATURES = `${SCHEMA}.features`;

/** What features of one name have in common. */
const NAME = 'set_uid, category, tag, name, subject, is_trusted, source_project_uid';

const wanted = (scope: Pick<Scope, 'organization'>): string => `
  ${visibleRows(scope, 'features')} AND features.superseded_by IS NULL AND ${IS_LIVE}
    AND ($3::uuid IS NULL OR features.set_uid = $3) AND ($4::text IS NULL OR features.subject = $4)`;

/** All that may be contradicted under these names. Those of an organization name each other where they rest on the same projects. */
const members = (subjects: SubjectsOf): string => `
  SELECT other.set_uid, other.category, other.tag, other.name, other.subject, other.is_trusted, other.source_project_uid,
    other.uid, other.created_at, other.is_single_valued, other.valid_until, md5(${said('other')}) AS said,
    CASE WHEN other.project_uid IS NULL THEN ${projects('other')} END AS projects
  FROM names JOIN ${FEATURES} other ON ${SUBJECTS[subjects]('names', 'other')}
    AND other.set_uid = names.set_uid AND other.category = names.category AND other.tag = names.tag
    AND other.name = names.name AND other.is_trusted = names.is_trusted
    AND other.source_project_uid IS NOT DISTINCT FROM names.source_project_uid
  WHERE ${of(IS_CONTESTABLE, 'other')}`;

const isContradicted = (subjects: SubjectsOf): string => `EXISTS (
    SELECT FROM ${FEATURES} one JOIN ${FEATURES} other ON ${contradicts('one', 'other', subjects)}
    WHERE one.set_uid = compared.set_uid AND one.uid = compared.uid)`;

/** Each pair once, the older first. */
const foundPairs = (scope: Pick<Scope, 'organization'>): string => `
  SELECT features.created_at AS since, ARRAY[features.uid, other.uid] AS uids
  FROM ${FEATURES} JOIN ${FEATURES} other ON ${isFoundToContradict('features', 'other')}
  WHERE ${wanted(scope)} AND features.contradicts IS NOT NULL
    AND (features.created_at, features.uid) < (other.created_at, other.uid)`;

/**
 * The uids of the features of each conflict of a page, with the number of all. Only a feature that says that its name has one
 * value, or names others, leads to others, so that the indexes `features_single_valued` and `features_contradicting` are read,
 * and not all features. Features of one name are compared with the least and the greatest of what these say, and not each
 * with each other; where one of them ends some day, each is looked at by itself. What a consolidation found is a conflict of
 * two. Parameters: organization, project, a set (null = all), a subject (null = all), limit, offset.
 */
export const listConflicts = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `
WITH names AS MATERIALIZED (
  SELECT DISTINCT ${NAME} FROM ${FEATURES}
  WHERE ${wanted(scope)} AND features.is_single_valued AND ${IS_CONTESTABLE}
), compared AS (
  SELECT *, min(said) OVER name AS least, max(said) OVER name AS greatest,
    min(said) FILTER (WHERE is_single_valued) OVER name AS least_single,
    max(said) FILTER (WHERE is_single_valued) OVER name AS greatest_single, bool_or(valid_until IS NOT NULL) OVER name AS ends
  FROM (${members('same')} UNION ALL ${members('none')}) AS members
  WINDOW name AS (PARTITION BY ${NAME}, projects)
), conflicts AS (
  SELECT min(created_at) AS since, (array_agg(uid ORDER BY created_at, uid))[1:${MAX_SHOWN}] AS uids
  FROM compared
  WHERE (least_single <> said OR greatest_single <> said OR is_single_valued AND (least <> said OR greatest <> said))
    AND (NOT ends OR ${isContradicted('same')} OR ${isContradicted('none')})
  GROUP BY ${NAME}
  UNION ALL ${foundPairs(scope)}
)
SELECT (SELECT count(*)::int FROM conflicts) AS total, (
  SELECT coalesce(jsonb_agg(page.uids), '[]')
  FROM (SELECT uids FROM conflicts ORDER BY since, uids LIMIT $5 OFFSET $6) AS page) AS conflicts`,
    row: { total: 'int4', conflicts: narrowed<readonly (readonly string[])[]>('jsonb') },
  });
