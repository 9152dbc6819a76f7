import { sql } from '@loci/persistence';
import { type Scope } from '../projects/project.js';
import { CHANGE, inSet } from './history-rows.js';

/** Parameters: organization, project, the set. */
export const countSetChanges = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `SELECT count(DISTINCT ${CHANGE})::int AS total ${inSet(scope)}`,
    row: { total: 'int4' },
  });
