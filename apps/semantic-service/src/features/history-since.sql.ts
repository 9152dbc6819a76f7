import { sql } from '@loci/persistence';
import { type Scope } from '../projects/project.js';
import { HISTORY_COLUMNS, HISTORY_ROW, inSet } from './history-rows.js';

/** Newest first. Parameters: organization, project, the set, the features, the first entry that counts. */
export const historySince = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `SELECT ${HISTORY_COLUMNS} ${inSet(scope)} AND feature_uid = ANY($4::uuid[])
             AND feature_history.uid >= $5 ORDER BY feature_history.uid DESC`,
    row: HISTORY_ROW,
  });
