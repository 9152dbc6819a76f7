import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { type Scope } from '../projects/project.js';
import { visibleRows } from '../projects/visible-rows.js';
import { HISTORY_COLUMNS, HISTORY_ROW } from './history-rows.js';

/** Newest first. Parameters: organization, project, the feature. */
export const historyOfFeature = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `SELECT ${HISTORY_COLUMNS} FROM ${SCHEMA}.feature_history
           WHERE ${visibleRows(scope, 'feature_history')} AND feature_uid = $3 ORDER BY feature_history.uid DESC`,
    row: HISTORY_ROW,
  });
