import { MAX_FEATURE_CONTRADICTIONS } from '@loci/contracts';
import { SCHEMA } from '../database.js';
import { IS_GOING_ON, IS_LIVE } from './feature-conditions.js';

/** Holds for every feature that others may contradict: as in the index `features_contestable`. */
export const IS_CONTESTABLE = `features.is_single_valued IS NOT FALSE AND features.superseded_by IS NULL AND ${IS_LIVE}
  AND ${IS_GOING_ON}`;

/** The condition for a row under another name. */
export const of = (condition: string, alias: string): string =>
  condition.replaceAll('features.', `${alias}.`);

/** What a value says, without what makes no difference. */
export const said = (row: string): string => `lower(btrim(${row}.value, E' \\t\\n.'))`;

export const projects = (row: string): string => `(
  SELECT array_agg(DISTINCT cited.project_uid ORDER BY cited.project_uid) FROM ${SCHEMA}.citations cited
  WHERE cited.set_uid = ${row}.set_uid AND cited.feature_uid = ${row}.uid)`;

/** Of what their subjects have to be, a part: each is found in the index by itself. */
export const SUBJECTS = {
  same: (one: string, other: string): string => `${other}.subject = ${one}.subject`,
  none: (one: string, other: string): string => `${other}.subject IS NULL AND ${one}.subject IS NULL`,
} as const;

/** Whether a subject is said of both features, or of neither. */
export type SubjectsOf = keyof typeof SUBJECTS;

/** Whether two features may contradict each other: of one partition, in force at once, and neither has several values. */
const holdAtOnce = (one: string, other: string): string => `
  ${other}.set_uid = ${one}.set_uid AND ${other}.category = ${one}.category AND ${other}.uid <> ${one}.uid
  AND ${other}.is_trusted = ${one}.is_trusted
  AND ${other}.source_project_uid IS NOT DISTINCT FROM ${one}.source_project_uid
  AND ${of(IS_CONTESTABLE, one)} AND ${of(IS_CONTESTABLE, other)}
  AND coalesce(${other}.valid_from, '-infinity') < coalesce(${one}.valid_until, 'infinity')
  AND coalesce(${one}.valid_from, '-infinity') < coalesce(${other}.valid_until, 'infinity')
  AND (${one}.project_uid IS NOT NULL OR ${projects(other)} IS NOT DISTINCT FROM ${projects(one)})`;

/** Whether they are called the same, say something else, and their name has one value at a time. */
const areOfOneName = (one: string, other: string): string => `
  ${other}.name = ${one}.name AND ${other}.tag = ${one}.tag
  AND (${one}.is_single_valued OR ${other}.is_single_valued) AND ${said(other)} <> ${said(one)}`;

/**
 * Whether two features contradict each other by their name: they hold at once, are called the same, say something else, and
 * their name has one value at a time: one of them says so, and neither says otherwise. In a set of an organization they rest
 * on messages of the same projects, so that no project learns what another one said. Texts are compared as they are, not by
 * their hashes: under row security only that can use an index.
 * @param one alias of a feature
 * @param other alias of the other one
 */
export const contradicts = (one: string, other: string, subjects: SubjectsOf): string => `
  ${SUBJECTS[subjects](one, other)} AND ${areOfOneName(one, other)} AND ${holdAtOnce(one, other)}`;

/**
 * Whether a consolidation found them to contradict each other, whatever their tags and names, and each names the other still:
 * one that says something else by now does not.
 * @param one alias of a feature
 * @param other alias of the other one
 */
export const isFoundToContradict = (one: string, other: string): string => `
  ${other}.uid = ANY(${one}.contradicts) AND ${one}.uid = ANY(${other}.contradicts)
  AND ${other}.subject IS NOT DISTINCT FROM ${one}.subject AND ${holdAtOnce(one, other)}
  AND (${areOfOneName(one, other)}) IS NOT TRUE`;

const others = (condition: string): string =>
  `SELECT other.uid, other.created_at FROM ${SCHEMA}.features other WHERE ${condition}`;

/** In the sequence of the indexes `features_single_valued_name` and `features_contestable`: no more is read than is shown. */
const firstOthers = (condition: string): string => `(${others(condition)}
      ORDER BY other.subject, other.created_at, other.uid LIMIT ${MAX_FEATURE_CONTRADICTIONS})`;

/** Most features say nothing of their name: for these, those alone are looked at that say that it has one value. */
const byName = (subjects: SubjectsOf): string => {
  const condition = contradicts('features', 'other', subjects);
  return `${firstOthers(`features.is_single_valued AND ${condition}`)}
      UNION ALL ${firstOthers(`features.is_single_valued IS NULL AND other.is_single_valued AND ${condition}`)}`;
};

/** The uids of those that contradict a row of `features`, oldest first. */
export const CONFLICTS_WITH = `array(
    SELECT found.uid FROM (
      ${byName('same')}
      UNION ALL ${byName('none')}
      UNION ALL ${others(isFoundToContradict('features', 'other'))}) AS found
    ORDER BY found.created_at, found.uid LIMIT ${MAX_FEATURE_CONTRADICTIONS})`;
