import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { BELONGS } from '../episodes/adjacent-episodes.js';

/** Newest episodes whose producers count as participants: one step in an index. */
const RECENT = 200;

const participantsWhere = (condition: string): string => `
SELECT DISTINCT producer_id FROM (
  SELECT producer_id FROM ${SCHEMA}.episodes WHERE ${condition} AND ${BELONGS}
  ORDER BY created_at DESC, uid DESC LIMIT ${RECENT}) AS recent`;

/** Parameter: the project. */
export const PARTICIPANTS = sql({
  name: 'participants',
  text: participantsWhere('project_uid = $1'),
  row: { producer_id: 'text' },
});

/** Parameters: the project, the conversation. */
export const PARTICIPANTS_OF_CONVERSATION = sql({
  name: 'participants_of_conversation',
  text: participantsWhere('project_uid = $1 AND conversation = $2'),
  row: { producer_id: 'text' },
});
