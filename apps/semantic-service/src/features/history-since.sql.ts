import { sql } from '@loci/persistence';
import { type Scope } from '../projects/project.js';
import { boundedOutlines, inSet, OUTLINED_ROW } from './history-rows.js';

/** Newest first. Parameters: organization, project, the set, the features, the first entry that counts, the most bytes. */
export const historySince = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: boundedOutlines(
      `${inSet(scope)} AND feature_uid = ANY($4::uuid[]) AND feature_history.uid >= $5`,
      '$6',
    ),
    row: OUTLINED_ROW,
  });
