import { REEMBEDDING_PROBLEM } from '@loci/indexing';
import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { type Scope } from '../projects/project.js';
import { visibleRows } from '../projects/visible-rows.js';

/** Parameters: organization, project. */
export const oldestProblem = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `SELECT ${REEMBEDDING_PROBLEM} AS problem FROM ${SCHEMA}.index_spaces AS index_version
           JOIN ${SCHEMA}.sets ON sets.uid = index_version.owner_uid
           WHERE ${visibleRows(scope, 'sets')} AND index_version.state = 'building'
             AND ${REEMBEDDING_PROBLEM} IS NOT NULL
           ORDER BY index_version.changed_at LIMIT 1`,
    row: { problem: 'text?' },
  });
