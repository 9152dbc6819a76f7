import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { type Scope } from '../projects/project.js';
import { visibleRows } from '../projects/visible-rows.js';

/** Of all types, as many as the quota allows, without their texts; oldest first. Parameters: organization, project. */
export const tagsOfTypes = (scope: Pick<Scope, 'organization'>) =>
  sql({
    name: `tags_of_types_${scope.organization}`,
    text: `SELECT uid, project_uid, tags FROM ${SCHEMA}.set_types WHERE ${visibleRows(scope, 'set_types')}
           ORDER BY created_at, uid`,
    row: { uid: 'uuid', project_uid: 'uuid?', tags: 'text[]' },
  });
