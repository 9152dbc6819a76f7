import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { BELONGS } from '../episodes/adjacent-episodes.js';

/** Newest episodes whose producers count as participants: one step in the index `episodes_in_order`. */
const RECENT = 200;

/** Parameter: the project. */
export const PARTICIPANTS = sql({
  name: 'participants',
  text: `
SELECT DISTINCT producer_id FROM (
  SELECT producer_id FROM ${SCHEMA}.episodes WHERE project_uid = $1 AND ${BELONGS}
  ORDER BY created_at DESC, uid DESC LIMIT ${RECENT}) AS recent`,
  row: { producer_id: 'text' },
});
