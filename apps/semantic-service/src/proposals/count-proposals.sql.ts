import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { type Scope } from '../projects/project.js';
import { visibleRows } from '../projects/visible-rows.js';

/** Parameters: organization, project, a set (null = all). */
export const countProposals = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `SELECT count(*)::int AS total FROM ${SCHEMA}.proposals AS proposal
           WHERE ${visibleRows(scope, 'proposal')} AND ($3::uuid IS NULL OR proposal.set_uid = $3)`,
    row: { total: 'int4' },
  });
