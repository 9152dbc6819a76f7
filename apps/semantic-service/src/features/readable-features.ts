import { type Filter } from '@loci/contracts';
import { SCHEMA } from '../database.js';
import { type Scope } from '../projects/project.js';
import { matching, type Predicate } from './feature-filter.js';

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
 * The features of any sets that a caller may read, and that match, as a predicate over rows of `features` joined with
 * `sets`, parameters numbered from `firstParameter`.
 */
export function readable(
  { organization, projectUid }: Scope,
  filter: Filter | undefined,
  firstParameter: number,
): Predicate {
  if (organization !== 'none') return matching(filter, firstParameter);
  const project = `$${firstParameter}::uuid`;
  const { sql, parameters } = matching(filter, firstParameter + 1);
  const isReadable = `(features.project_uid = ${project} OR features.project_uid IS NULL AND ${isOfProject(project)})`;
  return { sql: `${isReadable} AND ${sql}`, parameters: [projectUid, ...parameters] };
}
