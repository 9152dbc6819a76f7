import { isAddedUntil } from './deleted-episodes.js';

/** Of messages. Parameters: the project, the uids of its episodes, until when these were added. */
export const OF_DELETED_EPISODES = `project_uid = $1 AND episode_uid = ANY($2::uuid[]) AND ${isAddedUntil('$3')}`;

/** Of messages. Parameter: the project. */
export const OF_PROJECT = 'project_uid = $1';
