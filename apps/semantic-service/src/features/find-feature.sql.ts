import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { type Scope } from '../projects/project.js';
import { visibleRows } from '../projects/visible-rows.js';
import { IS_LIVE } from './feature-conditions.js';
import { FEATURE_COLUMNS, FEATURE_ROW, FROM_FEATURES } from './feature-rows.js';

/** A feature with the episodes that it cites, oldest first. Parameters: organization, project, the uid. */
export const findFeature = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `SELECT ${FEATURE_COLUMNS}, array(
             SELECT episode_uid FROM ${SCHEMA}.citations cited
             WHERE cited.set_uid = features.set_uid AND cited.feature_uid = features.uid
             ORDER BY created_at, episode_uid)::text[] AS citations
           ${FROM_FEATURES} WHERE ${visibleRows(scope, 'features')} AND features.uid = $3 AND ${IS_LIVE}`,
    row: { ...FEATURE_ROW, citations: 'text[]' },
  });
