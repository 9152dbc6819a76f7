import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameters: the project, the uids, until when they were added. */
export const NOTE_DELETED_EPISODES = sql({
  text: `INSERT INTO ${SCHEMA}.deleted_episodes AS known (uid, project_uid, added_until)
         SELECT DISTINCT given.uid, $1::uuid, $3::timestamptz FROM unnest($2::uuid[]) AS given(uid) ORDER BY given.uid
         ON CONFLICT (project_uid, uid) DO UPDATE SET added_until = greatest(known.added_until, excluded.added_until)`,
});
