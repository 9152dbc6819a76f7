import { sql, unindexed } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { IS_LIVE } from '../episodes/episode-rows.js';

/** Notes that episodes are in the summary. Parameters: the project, the uids. */
export const MARK_EPISODES = sql({
  text: `UPDATE ${SCHEMA}.episodes SET in_summary = true
         WHERE project_uid = $1 AND uid = ANY ($2::uuid[]) AND ${unindexed(IS_LIVE)} RETURNING uid`,
  row: { uid: 'uuid' },
});
