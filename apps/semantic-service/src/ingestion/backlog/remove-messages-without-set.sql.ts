import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** Those that were refused again meanwhile stay. Parameters: projects, episodes, times of their refusals. */
export const REMOVE_MESSAGES_WITHOUT_SET = sql({
  text: `DELETE FROM ${SCHEMA}.messages_without_set
         USING unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS taken(project, episode, refused)
         WHERE project_uid = project AND episode_uid = episode AND refused_at = refused`,
});
