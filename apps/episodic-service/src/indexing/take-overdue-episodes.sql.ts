import { sql } from '@loci/persistence';
import { NIL } from 'uuid';
import { SCHEMA } from '../database.js';
import { BELONGS } from '../episodes/adjacent-episodes.js';
import { TAKEN_ROW, takeEpisodes } from './take-episodes.js';

const LONG_AGO = 'now() - make_interval(secs => $1)';

const WAITS = `indexed_at IS NULL AND ${BELONGS}`;

const NEVER_ORDERED = `${WAITS} AND ordered_at IS NULL AND added_at < ${LONG_AGO}`;

/** Projects with something that waits that are looked for from one uid on: each is one look into the index. */
const MOST_PROJECTS = 256;

const PROJECT_WITH_WAITING = `SELECT project_uid FROM ${SCHEMA}.episodes WHERE ${WAITS} AND project_uid`;

const walkFrom = (name: string, start: string): string => `${name} AS (
    (${PROJECT_WITH_WAITING} >= ${start} ORDER BY project_uid, added_at LIMIT 1)
    UNION ALL
    SELECT following.project_uid FROM ${name} CROSS JOIN LATERAL (
      ${PROJECT_WITH_WAITING} > ${name}.project_uid ORDER BY project_uid, added_at LIMIT 1) AS following
  )`;

/**
 * Half of what is taken comes from every project with something that waits, as much from each, so that what one project added
 * in masses is not in front of all others; where there are very many, from those that follow a random uid.
 */
const OF_EVERY_PROJECT = {
  from: `${walkFrom('onwards', '$3::uuid')},
  ${walkFrom('from_first', `'${NIL}'`)},
  projects_waiting AS MATERIALIZED (
    (SELECT project_uid FROM onwards LIMIT ${MOST_PROJECTS})
    UNION (SELECT project_uid FROM from_first LIMIT ${MOST_PROJECTS}))`,
  uids: `
    SELECT due.uid FROM projects_waiting CROSS JOIN LATERAL (
      SELECT uid FROM ${SCHEMA}.episodes
      WHERE episodes.project_uid = projects_waiting.project_uid AND ${NEVER_ORDERED}
      ORDER BY added_at LIMIT (SELECT greatest(1, $2 / 2 / count(*)) FROM projects_waiting)
      FOR UPDATE SKIP LOCKED) AS due
    LIMIT greatest(1, $2 / 2)`,
};

/** Episodes without a vector. Parameters: seconds since they were ordered or added, how many at most, a random uid. */
export const TAKE_OVERDUE_EPISODES = sql({
  text: takeEpisodes(
    OF_EVERY_PROJECT,
    { condition: NEVER_ORDERED, by: 'added_at' },
    {
      condition: `${WAITS} AND ordered_at IS NOT NULL AND ordered_at < ${LONG_AGO}`,
      by: 'ordered_at',
    },
  ),
  row: TAKEN_ROW,
});
