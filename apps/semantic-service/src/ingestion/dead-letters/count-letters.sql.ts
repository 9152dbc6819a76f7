import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';
import { type Scope } from '../../projects/project.js';
import { visibleRows } from '../../projects/visible-rows.js';

/** Parameters: organization, project. */
export const countLetters = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `SELECT count(*)::int AS total FROM ${SCHEMA}.ingestion_dead_letters AS letter
           WHERE ${visibleRows(scope, 'letter')}`,
    row: { total: 'int4' },
  });
