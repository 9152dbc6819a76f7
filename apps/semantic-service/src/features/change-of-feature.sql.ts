import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { type Scope } from '../projects/project.js';
import { visibleRows } from '../projects/visible-rows.js';
import { CHANGE, HISTORY_COLUMNS, HISTORY_ROW } from './history-rows.js';

/**
 * What one change did to a feature, newest first; all that ever happened to one may be more than there is memory for.
 * Parameters: organization, project, the feature, uid of the change or of one of its entries (null = the newest change).
 */
export function changeOfFeature(scope: Pick<Scope, 'organization'>) {
  const ofFeature = `FROM ${SCHEMA}.feature_history
           WHERE ${visibleRows(scope, 'feature_history')} AND feature_uid = $3`;
  return sql({
    text: `SELECT ${HISTORY_COLUMNS} ${ofFeature} AND ${CHANGE} = (
             SELECT ${CHANGE} ${ofFeature} AND ($4::uuid IS NULL OR uid = $4 OR ${CHANGE} = $4)
             ORDER BY feature_history.uid DESC LIMIT 1)
           ORDER BY feature_history.uid DESC`,
    row: HISTORY_ROW,
  });
}
