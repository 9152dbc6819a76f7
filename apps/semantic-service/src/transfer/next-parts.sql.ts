import { type Instant, type SemanticPart, type SemanticParts } from '@loci/contracts';
import { narrowed, sql } from '@loci/persistence';
import { type Scope } from '../projects/project.js';
import { pageOf } from './part-queries.js';

/** One page of a kind. Parameters as of `pageOf`. */
export const nextParts = <Part extends SemanticPart>(
  scope: Pick<Scope, 'organization'>,
  part: Part,
  goesOn: boolean,
) =>
  sql({
    text: pageOf(scope, part, goesOn),
    row: { uid: 'uuid', at: narrowed<Instant>('text'), part: narrowed<SemanticParts[Part][number]>('jsonb') },
  });
