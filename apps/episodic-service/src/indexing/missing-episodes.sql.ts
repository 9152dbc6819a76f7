import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { BELONGS } from '../episodes/adjacent-episodes.js';
import { EPISODE_COLUMNS } from '../episodes/episode-rows.js';
import { IN_CONTEXT_ROW, inContext } from './episodes-in-context.js';

/** Parameters: the project, the index version, behind which time and uid, how many at most. */
export const MISSING_EPISODES = sql({
  name: 'missing_in_index_version',
  text: `
    SELECT ${EPISODE_COLUMNS}, previous.turn AS previous FROM ${inContext(`${SCHEMA}.episodes`)}
    WHERE project_uid = $1 AND ${BELONGS} AND carried_to IS DISTINCT FROM $2
      AND (asked.created_at, asked.uid) > ($3::timestamptz, $4::uuid)
    ORDER BY asked.created_at, asked.uid LIMIT $5`,
  row: IN_CONTEXT_ROW,
});
