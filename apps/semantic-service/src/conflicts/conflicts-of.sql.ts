import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { contradicts, isFoundToContradict } from '../features/conflicts.js';
import { type Scope } from '../projects/project.js';
import { visibleRows } from '../projects/visible-rows.js';

const others = (scope: Pick<Scope, 'organization'>, condition: string): string => `
  SELECT other.uid, other.created_at
  FROM ${SCHEMA}.features JOIN ${SCHEMA}.features other ON ${condition}
  WHERE ${visibleRows(scope, 'features')} AND features.uid = $3`;

/** The uids of those that contradict a feature. Parameters: organization, project, its uid, how many at most. */
export const conflictsOf = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `
SELECT found.uid FROM (
  ${others(scope, contradicts('features', 'other', 'same'))}
  UNION ALL ${others(scope, contradicts('features', 'other', 'none'))}
  UNION ALL ${others(scope, isFoundToContradict('features', 'other'))}) AS found
ORDER BY found.created_at, found.uid LIMIT $4`,
    row: { uid: 'uuid' },
  });
