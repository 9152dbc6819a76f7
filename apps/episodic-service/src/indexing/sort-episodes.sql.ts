import { sql } from '@loci/persistence';
import { BELONGS } from '../episodes/adjacent-episodes.js';
import { EPISODE_COLUMNS } from '../episodes/episode-rows.js';
import { episodesByUid } from '../episodes/episodes-by-uid.js';
import { IN_CONTEXT_ROW, inContext } from './episodes-in-context.js';

/** Those that are there, and whether the index has them. Parameters: the project, the uids, the index version if it is being built. */
export const SORT_EPISODES = sql({
  name: 'sort_for_index',
  text: `
    SELECT ${EPISODE_COLUMNS}, previous.turn AS previous,
           CASE WHEN $3::uuid IS NULL THEN indexed_at IS NOT NULL ELSE carried_to IS NOT DISTINCT FROM $3 END AS is_indexed
    FROM ${inContext(episodesByUid('$1', '$2::uuid[]'))}
    WHERE ${BELONGS}`,
  row: { ...IN_CONTEXT_ROW, is_indexed: 'bool' },
});
