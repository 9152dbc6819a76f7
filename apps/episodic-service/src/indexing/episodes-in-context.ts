import { MAX_CONTEXT } from '@loci/models';
import { narrowed, rowColumns } from '@loci/persistence';
import { adjacentEpisode } from '../episodes/adjacent-episodes.js';
import { EPISODE_ROW } from '../episodes/episode-rows.js';
import { type PreviousTurn } from './episode-in-context.js';

/**
 * SQL that joins episodes with their previous turns; the end of one is what was answered.
 * @param episodes a table or a subquery; called `asked` from here on
 */
export const inContext = (episodes: string): string =>
  `${episodes} AS asked LEFT JOIN LATERAL ${adjacentEpisode(
    'before',
    `json_build_object('uid', uid, 'ending', right(content, ${MAX_CONTEXT})) AS turn`,
    'asked',
  )} AS previous ON true`;

/** Episodes with `previous.turn AS previous`. */
export const IN_CONTEXT_ROW = rowColumns({
  ...EPISODE_ROW,
  previous: narrowed<PreviousTurn | null>('json?'),
});
