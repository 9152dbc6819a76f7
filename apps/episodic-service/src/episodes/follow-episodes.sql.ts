import { type Instant } from '@loci/contracts';
import { narrowed, sql } from '@loci/persistence';
import { NIL } from 'uuid';
import { SCHEMA } from '../database.js';
import { ADDED_AT, IS_LIVE } from './episode-rows.js';

/** In the order of adding. Parameters: the position behind which to begin (two, null = the beginning), before when, how many. */
export const FOLLOW_EPISODES = sql({
  text: `SELECT episodes.uid, ${ADDED_AT}, project_uid, org_id, project_id
         FROM ${SCHEMA}.episodes JOIN ${SCHEMA}.projects ON projects.uid = project_uid
         WHERE is_semantic AND ${IS_LIVE} AND state = 'open'
           AND (added_at, episodes.uid) > (coalesce($1::timestamptz, '-infinity'), coalesce($2, '${NIL}')::uuid)
           AND added_at < $3::timestamptz
         ORDER BY episodes.added_at, episodes.uid LIMIT $4`,
  row: {
    uid: 'uuid',
    added_at: narrowed<Instant>('text'),
    project_uid: 'uuid',
    org_id: 'text',
    project_id: 'text',
  },
});
