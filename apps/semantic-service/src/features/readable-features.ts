import { type Filter } from '@loci/contracts';
import { SCHEMA } from '../database.js';
import { type Scope } from '../projects/project.js';
import { matching, type Predicate } from './feature-filter.js';
import { held, type ReadTime } from './held-features.js';

/** Which features are read. */
export interface WantedFeatures extends ReadTime {
  /** Absent = all. */
  readonly filter?: Filter | undefined;
  /** Whether only pinned ones are wanted. */
  readonly isPinned?: true | undefined;
}

/**
 * Which features of a set that belongs to the organization a project put there itself: those that rest on messages of the
 * project, and of no other. They are the ones that would go with it. A feature that no message supports, or that also
 * rests on those of another project, is for callers of the organization alone.
 * @param project SQL of its uid
 */
const isOfProject = (project: string): string => `EXISTS (
  SELECT FROM ${SCHEMA}.citations own WHERE own.feature_uid = features.uid
  HAVING count(*) > 0 AND bool_and(own.project_uid = ${project}))`;

/**
 * The features of any sets that a caller may read, that match, and that are of the time asked for, as a predicate over rows of `features` joined with
 * `sets`, parameters numbered from `firstParameter`.
 */
export function readable(
  { organization, projectUid }: Scope,
  { filter, isPinned, ...time }: WantedFeatures,
  firstParameter: number,
): Predicate {
  const ofAnyTime = isPinned ? PINNED : ALL;
  const ofTime = both(ofAnyTime, held(time, firstParameter));
  const next = firstParameter + ofTime.parameters.length;
  if (organization !== 'none') return both(ofTime, matching(filter, next));
  const project = `$${next}::uuid`;
  const isReadable = `(features.project_uid = ${project} OR features.project_uid IS NULL AND ${isOfProject(project)})`;
  const shown = both(ofTime, { sql: isReadable, parameters: [projectUid] });
  return both(shown, matching(filter, next + 1));
}

const ALL: Predicate = { sql: 'TRUE', parameters: [] };
const PINNED: Predicate = { sql: 'features.is_pinned', parameters: [] };

const both = (a: Predicate, b: Predicate): Predicate => ({
  sql: `${a.sql} AND ${b.sql}`,
  parameters: [...a.parameters, ...b.parameters],
});
