import { sql } from '@loci/persistence';
import { type Scope } from '../projects/project.js';
import { visibleRows } from '../projects/visible-rows.js';
import { FROM_PROPOSALS, PROPOSAL_COLUMNS, PROPOSAL_ROW } from './proposal-rows.js';

/** Parameters: organization, project, the uid. */
export const findProposal = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `SELECT ${PROPOSAL_COLUMNS} ${FROM_PROPOSALS}
           WHERE ${visibleRows(scope, 'proposal')} AND proposal.uid = $3`,
    row: PROPOSAL_ROW,
  });
