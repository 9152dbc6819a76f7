import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';
import { type Scope } from '../../projects/project.js';
import { changeableRows } from '../../projects/visible-rows.js';

/** Parameters: organization, project, uid. No row when there is no such letter. */
export const dropLetter = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `DELETE FROM ${SCHEMA}.ingestion_dead_letters AS letter
           WHERE ${changeableRows(scope, 'letter')} AND letter.uid = $3 RETURNING uid`,
    row: { uid: 'uuid' },
  });
