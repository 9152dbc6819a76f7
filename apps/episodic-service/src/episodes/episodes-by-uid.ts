import { SCHEMA } from '../database.js';

/**
 * A subquery that finds episodes of a project by their uids, one by one; other conditions on them belong around it, and
 * `OFFSET 0` keeps them there: then only the primary key and the index of uids lead to the episodes. With the condition of a
 * partial index beside that on the project, the planner may read the whole project by that index instead. It does so when
 * statistics are older than the growth of the project, or when a prepared statement is planned for a project of average size,
 * and there is no bound to how much slower that is.
 * @param project SQL of type uuid
 * @param uids SQL of type uuid[]
 */
export const episodesByUid = (project: string, uids: string): string =>
  `(SELECT * FROM ${SCHEMA}.episodes WHERE project_uid = ${project} AND uid = ANY (${uids}) OFFSET 0)`;
