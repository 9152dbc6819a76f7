import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { type Scope } from '../projects/project.js';
import { visibleRows } from '../projects/visible-rows.js';

/** Parameters: organization, project. */
export const countFeatures = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `SELECT count(*)::int AS features, count(indexed_at)::int AS indexed
           FROM ${SCHEMA}.features WHERE ${visibleRows(scope, 'features')} AND deleted_at IS NULL`,
    row: { features: 'int4', indexed: 'int4' },
  });
