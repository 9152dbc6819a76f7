import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';
import { type Scope } from '../../projects/project.js';
import { changeableRows } from '../../projects/visible-rows.js';

/** In whichever sequence. Parameters: organization, project, how many at most. */
export const someLetters = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `
SELECT uid FROM ${SCHEMA}.ingestion_dead_letters AS letter
WHERE ${changeableRows(scope, 'letter')} LIMIT $3`,
    row: { uid: 'uuid' },
  });
