import { sql, type SqlPredicate } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { IS_LIVE } from './episode-rows.js';

/** Parameters: the project, how many at most, and from 3 on those of the predicate. */
export const firstMatchingUids = ({ sql: matches }: SqlPredicate) =>
  sql({
    text: `SELECT uid FROM ${SCHEMA}.episodes WHERE project_uid = $1 AND ${IS_LIVE} AND ${matches} LIMIT $2`,
    row: { uid: 'uuid' },
  });
