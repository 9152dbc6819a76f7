import { sql } from '@loci/persistence';
import { type Scope } from '../projects/project.js';
import { CHANGE, HISTORY_COLUMNS, HISTORY_ROW, inSet } from './history-rows.js';

/** Newest first. Parameters: organization, project, the set, the change. */
export const historyOfChange = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `SELECT ${HISTORY_COLUMNS} ${inSet(scope)} AND ${CHANGE} = $4 ORDER BY feature_history.uid DESC`,
    row: HISTORY_ROW,
  });
