import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { BELONGS } from '../episodes/adjacent-episodes.js';

/** Parameters: the project, the index version that is being built, if any. */
export const COUNT_INDEXED_EPISODES = sql({
  text: `SELECT count(*)::int AS episodes, count(indexed_at)::int AS indexed,
                count(*) FILTER (WHERE carried_to = $2)::int AS carried
         FROM ${SCHEMA}.episodes WHERE project_uid = $1 AND ${BELONGS}`,
  row: { episodes: 'int4', indexed: 'int4', carried: 'int4' },
});
