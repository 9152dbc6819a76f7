import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { type Scope } from '../projects/project.js';
import { visibleRows } from '../projects/visible-rows.js';
import { IS_LIVE } from '../features/feature-conditions.js';
import { recordBytes } from '../features/feature-rows.js';

/**
 * What is read, in bytes, to end each of some features: the feature with its citations, and what it is known to
 * contradict. Parameters: organization, project, the uids, one that is read whatever else is, and
 * their set.
 */
export const weighEndings = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `
SELECT features.uid, (
    SELECT coalesce(sum(${recordBytes('involved')}), 0)
    FROM ${SCHEMA}.features involved
    WHERE involved.set_uid = features.set_uid AND involved.deleted_at IS NULL
      AND involved.uid = ANY(features.uid || coalesce(features.contradicts, '{}')) AND involved.uid <> $4)::float8 AS bytes
FROM ${SCHEMA}.features WHERE ${visibleRows(scope, 'features')} AND set_uid = $5 AND uid = ANY($3::uuid[])
  AND ${IS_LIVE}`,
    row: { uid: 'uuid', bytes: 'float8' },
  });
