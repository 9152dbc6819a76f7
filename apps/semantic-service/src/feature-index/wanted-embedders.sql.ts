import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { type Scope } from '../projects/project.js';
import { visibleRows } from '../projects/visible-rows.js';

/** Parameters: organization, project, the embedder of sets that name none. */
export const wantedEmbedders = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `SELECT DISTINCT coalesce(sets.embedder_name, $3) AS embedder, index_version.fingerprint
           FROM ${SCHEMA}.sets LEFT JOIN ${SCHEMA}.index_spaces AS index_version
             ON index_version.owner_uid = sets.uid AND index_version.state = 'active'
           WHERE ${visibleRows(scope, 'sets')}
             AND EXISTS (SELECT FROM ${SCHEMA}.features WHERE set_uid = sets.uid AND deleted_at IS NULL)`,
    row: { embedder: 'text', fingerprint: 'text?' },
  });
