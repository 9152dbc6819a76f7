import { sql, type SqlPredicate } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { IS_LIVE } from './episode-rows.js';

/** Parameters: the project, and from 2 on those of the predicate. */
export const countMatchingEpisodes = ({ sql: matches }: SqlPredicate) =>
  sql({
    text: `SELECT count(*)::int AS total FROM ${SCHEMA}.episodes
           WHERE project_uid = $1 AND ${IS_LIVE} AND ${matches}`,
    row: { total: 'int4' },
  });
