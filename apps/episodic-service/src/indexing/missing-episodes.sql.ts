import { missingRows } from '@loci/indexing';
import { sql } from '@loci/persistence';
import { EPISODE_COLUMNS } from '../episodes/episode-rows.js';
import { EpisodeTable } from './episode-table.js';
import { IN_CONTEXT_ROW, inContext } from './episodes-in-context.js';

const MISSING = missingRows(new EpisodeTable(), { owner: '$1', version: '$2', limit: '$3' });

/** Parameters: the project, the index version, how many at most. */
export const MISSING_EPISODES = sql({
  name: 'missing_in_index_version',
  text: `SELECT ${EPISODE_COLUMNS}, previous.turn AS previous FROM ${inContext(MISSING)}`,
  row: IN_CONTEXT_ROW,
});
