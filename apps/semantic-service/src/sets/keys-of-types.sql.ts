import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { type Scope } from '../projects/project.js';
import { visibleRows } from '../projects/visible-rows.js';

/** The keys of the types whose hash begins like this one. Parameters: organization, project, what an id says of its keys. */
export const keysOfTypes = (scope: Pick<Scope, 'organization'>) =>
  sql({
    name: `keys_of_types_${scope.organization}`,
    text: `SELECT tags FROM ${SCHEMA}.set_types
           WHERE ${visibleRows(scope, 'set_types')} AND starts_with(tags_hash, $3)`,
    row: { tags: 'text[]' },
  });
