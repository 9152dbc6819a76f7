import { type Instant, type SemanticPart, type SemanticParts } from '@loci/contracts';
import { narrowed, sql } from '@loci/persistence';
import { type Predicate } from '../features/feature-filter.js';
import { type Scope } from '../projects/project.js';
import { pageOf } from './part-queries.js';

/**
 * One page of a kind. Parameters as of `pageOf`, then those of the predicate.
 * @param features which of the features
 */
export const nextParts = <Part extends SemanticPart>(
  scope: Pick<Scope, 'organization'>,
  part: Part,
  { features, goesOn }: { readonly features: Predicate; readonly goesOn: boolean },
) =>
  sql({
    text: pageOf(scope, part, { features: features.sql, goesOn }),
    row: { uid: 'uuid', at: narrowed<Instant>('text'), part: narrowed<SemanticParts[Part][number]>('jsonb') },
  });
