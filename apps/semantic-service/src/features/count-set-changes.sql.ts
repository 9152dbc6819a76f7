import { sql } from '@loci/persistence';
import { type Scope } from '../projects/project.js';
import { CHANGE, inSet } from './history-rows.js';

/** Of one set, with the number of its entries that were read for it. Parameters: organization, project, the set, the most entries. */
export const countSetChanges = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `SELECT count(DISTINCT change_uid)::int AS total, count(*)::int AS entries
           FROM (SELECT ${CHANGE} AS change_uid ${inSet(scope)} ORDER BY 1 LIMIT $4) AS counted`,
    row: { total: 'int4', entries: 'int4' },
  });
