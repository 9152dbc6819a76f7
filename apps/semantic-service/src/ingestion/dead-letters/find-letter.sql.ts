import { sql } from '@loci/persistence';
import { type Scope } from '../../projects/project.js';
import { LETTER_ROW, selectLetters } from './letter-rows.js';

/** Parameters: organization, project, uid. */
export const findLetter = (scope: Pick<Scope, 'organization'>) =>
  sql({ text: `${selectLetters(scope)} AND letter.uid = $3`, row: LETTER_ROW });
