import { sql } from '@loci/persistence';
import { type Scope } from '../../projects/project.js';
import { fromCalls, LISTED_ROW, SUMMARY_COLUMNS, WANTED_CALLS } from './model-call-rows.js';

/** Newest first. Parameters as of `fromCalls` and `WANTED_CALLS`; limit, offset. */
export const listModelCalls = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `SELECT ${SUMMARY_COLUMNS} ${fromCalls(scope)} ${WANTED_CALLS}
           ORDER BY call.uid DESC LIMIT $7 OFFSET $8`,
    row: LISTED_ROW,
  });
