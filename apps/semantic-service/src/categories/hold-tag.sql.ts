import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { type Scope } from '../projects/project.js';
import { visibleRows } from '../projects/visible-rows.js';
import { OWNER_ROW } from './category-rows.js';

/** Keeps a tag until the transaction ends, and says whose it is. Parameters: organization, project, uid. */
export const holdTag = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `SELECT org_id, project_uid FROM ${SCHEMA}.category_tags
           JOIN ${SCHEMA}.categories ON categories.uid = category_uid
           WHERE ${visibleRows(scope, 'categories')} AND category_tags.uid = $3 FOR UPDATE OF category_tags`,
    row: OWNER_ROW,
  });
