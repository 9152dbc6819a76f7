import { isAddedUntil } from './deleted-episodes.js';

/** Of messages. Parameters: the project, the uids of its episodes, until when these were added. */
export const OF_DELETED_EPISODES = `project_uid = $1 AND episode_uid = ANY($2::uuid[]) AND ${isAddedUntil('$3')}`;

/** Of messages. Parameters: the sets that they are in, the uids of their episodes, in the same sequence. */
export const IN_SETS = '(set_uid, episode_uid) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))';
