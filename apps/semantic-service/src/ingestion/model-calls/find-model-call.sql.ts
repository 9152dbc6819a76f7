import { sql } from '@loci/persistence';
import { type Scope } from '../../projects/project.js';
import { DETAILS_COLUMNS, DETAILS_ROW, fromCalls } from './model-call-rows.js';

/** Parameters as of `fromCalls`; the uid. */
export const findModelCall = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `SELECT ${DETAILS_COLUMNS} ${fromCalls(scope)} AND call.uid = $3`,
    row: DETAILS_ROW,
  });
