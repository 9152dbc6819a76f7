import { type Instant } from '@loci/contracts';
import { narrowed, sql } from '@loci/persistence';
import { NIL } from 'uuid';
import { SCHEMA } from '../database.js';
import { ADDED_AT, IS_LIVE } from './episode-rows.js';

/**
 * In the order of adding. Whether its project is open is asked of each episode: of a join, PostgreSQL expects so few rows that it
 * reads and sorts all that follow, for each page. Parameters: the position behind which to begin (two, null = the beginning),
 * before when, how many.
 */
export const FOLLOW_EPISODES = sql({
  text: `SELECT page.uid, ${ADDED_AT}, project_uid, org_id, project_id
         FROM (
           SELECT uid, added_at, project_uid FROM ${SCHEMA}.episodes
           WHERE is_semantic AND ${IS_LIVE}
             AND coalesce((SELECT state = 'open' FROM ${SCHEMA}.projects WHERE projects.uid = project_uid), false)
             AND (added_at, uid) > (coalesce($1::timestamptz, '-infinity'), coalesce($2, '${NIL}')::uuid)
             AND added_at < $3::timestamptz
           ORDER BY added_at, uid LIMIT $4) AS page
         JOIN ${SCHEMA}.projects ON projects.uid = project_uid
         ORDER BY page.added_at, page.uid`,
  row: {
    uid: 'uuid',
    added_at: narrowed<Instant>('text'),
    project_uid: 'uuid',
    org_id: 'text',
    project_id: 'text',
  },
});
