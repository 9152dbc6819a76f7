import { sql } from '@loci/persistence';
import { type Scope } from '../projects/project.js';
import { boundedOutlines, CHANGE, inSet, OUTLINED_ROW } from './history-rows.js';

/** Newest first. Parameters: organization, project, the set, the changes, the most bytes. */
export const historyOfChanges = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: boundedOutlines(`${inSet(scope)} AND ${CHANGE} = ANY($4::uuid[])`, '$5'),
    row: OUTLINED_ROW,
  });
