import { isAddedUntil } from '../ingestion/backlog/deleted-episodes.js';

/** Of citations. Parameters: the project, the uids of its episodes, until when these were added, if only those count. */
export const ARE_GONE = `project_uid = $1 AND episode_uid = ANY($2::uuid[])
  AND ($3::timestamptz IS NULL OR ${isAddedUntil('$3')})`;
