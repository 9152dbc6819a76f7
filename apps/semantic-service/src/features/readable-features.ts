import { type Filter } from '@loci/contracts';
import { SCHEMA } from '../database.js';
import { type Scope } from '../projects/project.js';
import { matching, type Predicate } from './feature-filter.js';
import { held, type ReadTime } from './held-features.js';
import { type Partition } from './partition.js';

/** What matches in a set. */
export interface SetFilter {
  readonly setUid: string;
  readonly filter: Filter;
}

/** Which features are read. */
export interface WantedFeatures extends ReadTime {
  /** Absent = all. */
  readonly filter?: Filter | undefined;
  /** What is wanted of each set, where that differs; what is in none of these is not wanted. Absent = the same of all. */
  readonly ofSets?: readonly SetFilter[] | undefined;
  /** Whether only pinned ones are wanted. */
  readonly isPinned?: true | undefined;
}

/** Which features of one set are read. */
export interface WantedOfSet extends WantedFeatures {
  /** Absent = of all. */
  readonly partition?: Partition | undefined;
}

/** Which part of a list. */
export interface ListPage {
  readonly offset: number;
  readonly limit: number;
  readonly pinnedFirst?: boolean | undefined;
}

/**
 * Which features of a set that belongs to the organization a project put there itself: those that rest on messages of the
 * project, and of no other. They are the ones that would go with it. A feature that no message supports, or that also
 * rests on those of another project, is for callers of the organization alone.
 * @param project SQL of its uid
 */
const isOfProject = (project: string): string => `EXISTS (
  SELECT FROM ${SCHEMA}.citations own WHERE own.set_uid = features.set_uid AND own.feature_uid = features.uid
  HAVING count(*) > 0 AND bool_and(own.project_uid = ${project}))`;

/**
 * The features of any sets that a caller may read, that match, and that are of the time asked for, as a predicate over rows of `features` joined with
 * `sets`, parameters numbered from `firstParameter`.
 */
export function readable(
  { organization, projectUid }: Scope,
  { filter, ofSets, isPinned, ...time }: WantedFeatures,
  firstParameter: number,
): Predicate {
  const ofAnyTime = isPinned ? PINNED : ALL;
  const ofTime = both(ofAnyTime, held(time, firstParameter));
  const next = firstParameter + ofTime.parameters.length;
  const matchingFrom = (first: number): Predicate =>
    ofSets ? inSets(ofSets, first) : matching(filter, first);
  if (organization !== 'none') return both(ofTime, matchingFrom(next));
  const project = `$${next}::uuid`;
  const isReadable = `(features.project_uid = ${project} OR features.project_uid IS NULL AND ${isOfProject(project)})`;
  const shown = both(ofTime, { sql: isReadable, parameters: [projectUid] });
  return both(shown, matchingFrom(next + 1));
}

const ALL: Predicate = { sql: 'TRUE', parameters: [] };
const PINNED: Predicate = { sql: 'features.is_pinned', parameters: [] };

const both = (a: Predicate, b: Predicate): Predicate => ({
  sql: `${a.sql} AND ${b.sql}`,
  parameters: [...a.parameters, ...b.parameters],
});

/**
 * By the uids of the sets, and not by their ids: conditions on the table of features alone let each set be read by an index on
 * its subjects, where one on `sets` has all features of all sets read.
 */
function inSets(filters: readonly SetFilter[], firstParameter: number): Predicate {
  const parameters: unknown[] = [];
  const each = filters.map(({ setUid, filter }) => {
    const isInSet = `features.set_uid = $${firstParameter + parameters.length}::uuid`;
    parameters.push(setUid);
    const { sql, parameters: own } = matching(filter, firstParameter + parameters.length);
    parameters.push(...own);
    return `(${isInSet} AND ${sql})`;
  });
  return { sql: each.length > 0 ? `(${each.join(' OR ')})` : 'FALSE', parameters };
}

/** What the most searches ask for: a prepared statement is kept for it. */
const isPlain = (wanted: WantedFeatures): boolean =>
  Object.values(wanted).every((part: unknown) => part === undefined);

/** Of a statement whose predicate differs with the scope alone; undefined when the request made it. */
export const nameOf = (
  statement: string,
  { organization }: Scope,
  wanted: WantedFeatures,
): string | undefined => (isPlain(wanted) ? `${statement}_${organization}` : undefined);
