import { OWNER_INDEX_ROW, ownerIndexColumns } from '@loci/indexing';
import { narrowed, sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { BELONGS } from '../episodes/adjacent-episodes.js';
import { newestOf } from '../episodes/newest-episodes.sql.js';
import { EpisodeTable } from '../indexing/episode-table.js';
import { PROJECT_COLUMNS, PROJECT_ROW } from '../projects/project-rows.js';

/** Newest episodes whose producers count as participants. */
const RECENT = 200;

/** @param spoken a table of episodes: where the participants speak */
const searchedProject = (spoken: string): string => `
  SELECT ${PROJECT_COLUMNS}, ${ownerIndexColumns(new EpisodeTable(), '$1')},
         (SELECT coalesce(json_agg(json_build_array(producer_id, turns)), '[]') FROM (
           SELECT producer_id, count(*) AS turns FROM (
             SELECT producer_id FROM ${spoken} AS episodes WHERE ${BELONGS}
             ORDER BY created_at DESC, uid DESC LIMIT ${RECENT}) AS recent
           GROUP BY producer_id) AS spoken) AS participants
  FROM ${SCHEMA}.projects WHERE uid = $1 AND org_id = $2 AND project_id = $3 AND state = 'open'`;

/** Each producer, and how many of the newest turns are theirs. */
const TURNS_OF_EACH = narrowed<readonly (readonly [producerId: string, turns: number])[]>('json');

const ROW = { ...PROJECT_ROW, ...OWNER_INDEX_ROW, participants: TURNS_OF_EACH } as const;

/** A search begins with it. Parameters: the uid of the project, its organization, its name. One row when it is open. */
export const SEARCHED_PROJECT = sql({
  name: 'searched_project',
  text: searchedProject(newestOf('$1')),
  row: ROW,
});

/** As `SEARCHED_PROJECT`, with the participants of one conversation, which is one more parameter. */
export const SEARCHED_CONVERSATION = sql({
  name: 'searched_conversation',
  text: searchedProject(`(SELECT * FROM ${SCHEMA}.episodes WHERE project_uid = $1 AND conversation = $4)`),
  row: ROW,
});
