import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { type Scope } from '../projects/project.js';
import { visibleRows } from '../projects/visible-rows.js';

/** An entry of a feature, if there is one. Parameters: organization, project, the feature. */
export const anyOfFeature = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `SELECT feature_history.uid FROM ${SCHEMA}.feature_history
           WHERE ${visibleRows(scope, 'feature_history')} AND feature_uid = $3 LIMIT 1`,
    row: { uid: 'uuid' },
  });
