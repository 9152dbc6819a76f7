import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { AWAITS_VECTOR } from '../episodes/adjacent-episodes.js';

const FOLLOWING = `SELECT project_uid FROM ${SCHEMA}.episodes WHERE ${AWAITS_VECTOR} AND project_uid`;

/** Projects that have episodes without a vector, by uid: each is one look into the index. Parameters: the uid behind which to begin, how many at most. */
export const PROJECTS_WITH_WAITING = sql({
  text: `
WITH RECURSIVE walk AS (
  (${FOLLOWING} > $1 ORDER BY project_uid, added_at LIMIT 1)
  UNION ALL
  SELECT following.project_uid FROM walk CROSS JOIN LATERAL (
    ${FOLLOWING} > walk.project_uid ORDER BY project_uid, added_at LIMIT 1) AS following
)
SELECT project_uid FROM walk LIMIT $2`,
  row: { project_uid: 'uuid' },
});
