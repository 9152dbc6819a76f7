import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** Messages of a project in the jobs of their sets. Parameters: the project, how many at most. */
export const MESSAGES_OF_PROJECT = sql({
  text: `SELECT set_uid, episode_uid FROM ${SCHEMA}.ingestion_messages AS message
         WHERE project_uid = $1
           AND EXISTS (SELECT FROM ${SCHEMA}.ingestion_jobs AS job WHERE job.set_uid = message.set_uid)
         LIMIT $2`,
  row: { set_uid: 'uuid', episode_uid: 'uuid' },
});
