import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { DELETION_COLUMNS, DELETION_ROW } from './deletion-rows.js';

/** Newest first. Parameters: the project, the uid of the one that is asked for (null = all), how many at most. */
export const FIND_DELETIONS = sql({
  text: `SELECT ${DELETION_COLUMNS} FROM ${SCHEMA}.deletions
         WHERE project_uid = $1 AND uid = coalesce($2, uid)
         ORDER BY deletions.requested_at DESC, deletions.uid DESC LIMIT $3`,
  row: DELETION_ROW,
});
