import { type OwnerIndex, ownerIndexColumns } from '@loci/indexing';
import { narrowed, sql } from '@loci/persistence';
import { NIL } from 'uuid';
import { SCHEMA } from '../database.js';
import { FeatureTable } from '../indexing/feature-table.js';
import { PROJECT_COLUMNS, PROJECT_ROW } from '../projects/project-rows.js';
import { visibleRows } from '../projects/visible-rows.js';

interface IndexOfSet extends OwnerIndex {
  readonly setUid: string;
}

/** As of `SetType`. */
interface TypeOfSets {
  readonly tags: readonly string[];
  readonly projectUid: string | null;
}

/**
 * Holds for all uids: with it the planner expects a third of the ten that it takes an unknown array for, about as many as
 * there are. Else it finds that a plan for all searches costs more than one for each, and makes one for each, which takes
 * ten times as long as running it.
 */
const IS_UID = `searched.uid > '${NIL}'`;

/**
 * A search begins with it: the project, the types of its sets, and the indexes of the sets that are known without types.
 * One row when the project is open. Parameters: organization, uid of the project, its name, uids of sets.
 */
export const SEARCHED_SETS = sql({
  name: 'searched_sets',
  text: `
    SELECT ${PROJECT_COLUMNS},
           (SELECT coalesce(json_agg(json_build_object('tags', tags, 'projectUid', project_uid) ORDER BY created_at, uid), '[]')
            FROM ${SCHEMA}.set_types WHERE ${visibleRows({ organization: 'read' }, 'set_types')}) AS types,
           (SELECT coalesce(json_agg(json_build_object('setUid', uid, 'indexVersions', index_versions, 'hasWaiting', has_waiting, 'wordsRevision', words_revision)), '[]')
            FROM (SELECT searched.uid, ${ownerIndexColumns(new FeatureTable(), 'searched.uid')}
                  FROM unnest($4::uuid[]) AS searched (uid) WHERE ${IS_UID}) AS indexed) AS indexes
    FROM ${SCHEMA}.projects WHERE uid = $2 AND org_id = $1 AND project_id = $3 AND state = 'open'`,
  row: {
    ...PROJECT_ROW,
    types: narrowed<readonly TypeOfSets[]>('json'),
    indexes: narrowed<readonly IndexOfSet[]>('json'),
  },
});
