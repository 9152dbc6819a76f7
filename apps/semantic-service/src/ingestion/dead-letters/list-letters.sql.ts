import { sql } from '@loci/persistence';
import { type Scope } from '../../projects/project.js';
import { LETTER_ROW, selectLetters } from './letter-rows.js';

/** Oldest first. Parameters: organization, project, how many at most, how many to pass over. */
export const listLetters = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `${selectLetters(scope)} ORDER BY letter.created_at, letter.uid LIMIT $3 OFFSET $4`,
    row: LETTER_ROW,
  });
