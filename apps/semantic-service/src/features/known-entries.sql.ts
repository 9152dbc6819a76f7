import { sql } from '@loci/persistence';
import { type Scope } from '../projects/project.js';
import { inSet } from './history-rows.js';

/** Of some entries those that are still known. Parameters: organization, project, the set, uids of entries. */
export const knownEntries = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `SELECT feature_history.uid ${inSet(scope)} AND feature_history.uid = ANY ($4)`,
    row: { uid: 'uuid' },
  });
