import { boundedRow, sql } from '@loci/persistence';
import { type Scope } from '../projects/project.js';
import { boundedHistory, HISTORY_ROW, inSet } from './history-rows.js';

/** Newest first. Parameters: organization, project, the set, the entries, the most bytes. */
export const historyEntries = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: boundedHistory(`${inSet(scope)} AND feature_history.uid = ANY($4::uuid[])`, '$5'),
    row: boundedRow(HISTORY_ROW),
  });
