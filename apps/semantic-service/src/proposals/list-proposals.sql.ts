import { boundedRow, sql, withinBytes } from '@loci/persistence';
import { type Scope } from '../projects/project.js';
import { visibleRows } from '../projects/visible-rows.js';
import { FROM_PROPOSALS, PROPOSAL_COLUMNS, PROPOSAL_ROW } from './proposal-rows.js';

/** Oldest first. Parameters: organization, project, a set (null = all), limit, offset, the bytes. */
export const listProposals = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: withinBytes({
      page: `SELECT ${PROPOSAL_COLUMNS} ${FROM_PROPOSALS}
             WHERE ${visibleRows(scope, 'proposal')} AND ($3::uuid IS NULL OR proposal.set_uid = $3)
             ORDER BY proposal.uid LIMIT $4 OFFSET $5`,
      columns: 'page.*',
      bytes: 'octet_length(value) + octet_length(features::text) + octet_length(citations::text)',
      order: 'page.uid',
      maxBytes: '$6',
    }),
    row: boundedRow(PROPOSAL_ROW),
  });
