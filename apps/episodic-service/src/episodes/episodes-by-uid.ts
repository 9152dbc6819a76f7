import { SCHEMA } from '../database.js';

/**
 * A subquery that finds episodes by their uids, one by one; conditions on them, that of the project among them, belong
 * around it. Beside `uid = ANY (...)`, a condition on the project lets the planner read the whole project instead, which
 * is slower by any factor when statistics are older than the growth of the project, or a prepared statement is planned
 * for a project of average size. `OFFSET 0` keeps the conditions outside.
 * @param uids SQL of type uuid[]
 */
export const episodesByUid = (uids: string): string =>
  `(SELECT * FROM ${SCHEMA}.episodes WHERE uid = ANY (${uids}) OFFSET 0)`;
