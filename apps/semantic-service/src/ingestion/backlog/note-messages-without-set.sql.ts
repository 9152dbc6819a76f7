import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** Parameters: the messages as JSON, and whether they could not be taken in at all. */
export const NOTE_MESSAGES_WITHOUT_SET = sql({
  text: `INSERT INTO ${SCHEMA}.messages_without_set AS known
           (project_uid, episode_uid, org_id, added_at, received_at, refused_at, has_failed)
         SELECT project_uid, episode_uid, org_id, added_at, received_at, clock_timestamp(), $2
         FROM jsonb_to_recordset($1::jsonb) AS given(project_uid uuid, episode_uid uuid, org_id text,
           added_at timestamptz, received_at timestamptz)
         ORDER BY project_uid, episode_uid
         ON CONFLICT (project_uid, episode_uid) DO UPDATE
         SET added_at = greatest(known.added_at, excluded.added_at), refused_at = excluded.refused_at,
             has_failed = excluded.has_failed`,
});
