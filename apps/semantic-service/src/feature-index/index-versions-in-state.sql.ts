import { narrowed, sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { type Scope } from '../projects/project.js';
import { visibleRows } from '../projects/visible-rows.js';

/** By embedder and state, how many sets there are and features in them. Parameters: organization, project. */
export const indexVersionsInState = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `SELECT index_version.state, index_version.embedder, index_version.fingerprint, index_version.dimensions,
                  count(*)::int AS sets, sum(there.indexed)::int AS indexed
           FROM ${SCHEMA}.index_spaces AS index_version JOIN ${SCHEMA}.sets ON sets.uid = index_version.owner_uid
           CROSS JOIN LATERAL (
             SELECT count(*) AS indexed FROM ${SCHEMA}.features
             WHERE set_uid = index_version.owner_uid AND deleted_at IS NULL
               AND CASE index_version.state WHEN 'active' THEN indexed_at IS NOT NULL
                                            ELSE carried_to = index_version.uid END) AS there
           WHERE ${visibleRows(scope, 'sets')} AND index_version.state <> 'retiring'
           GROUP BY index_version.state, index_version.embedder, index_version.fingerprint, index_version.dimensions
           ORDER BY index_version.embedder, index_version.fingerprint`,
    row: {
      state: narrowed<'active' | 'building'>('text'),
      embedder: 'text',
      fingerprint: 'text',
      dimensions: 'int4',
      sets: 'int4',
      indexed: 'int4',
    },
  });
