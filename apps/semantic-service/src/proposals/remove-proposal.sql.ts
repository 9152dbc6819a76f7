import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { type Scope } from '../projects/project.js';
import { changeableRows } from '../projects/visible-rows.js';

/** Parameters: organization, project, the uid. */
export const removeProposal = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `DELETE FROM ${SCHEMA}.proposals AS proposal
           WHERE ${changeableRows(scope, 'proposal')} AND uid = $3 RETURNING uid`,
    row: { uid: 'uuid' },
  });
