import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';
import { type Scope } from '../../projects/project.js';
import { changeableRows } from '../../projects/visible-rows.js';

/** Jobs are locked first, in the order of their uids, as everywhere. Parameters: organization, project, uids of letters. */
export const lockJobsOfLetters = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `
SELECT set_uid FROM ${SCHEMA}.ingestion_jobs
WHERE set_uid IN (SELECT set_uid FROM ${SCHEMA}.ingestion_dead_letters AS letter
  WHERE ${changeableRows(scope, 'letter')} AND uid = ANY($3))
ORDER BY set_uid FOR UPDATE`,
    row: { set_uid: 'uuid' },
  });
