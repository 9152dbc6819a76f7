import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Removes rows of a closed project. Parameters: the project, how many at most. */
export const ERASE_EPISODES = sql({
  text: `WITH erased AS (
           DELETE FROM ${SCHEMA}.episodes WHERE project_uid = $1 AND uid IN (
             SELECT uid FROM ${SCHEMA}.episodes WHERE project_uid = $1 LIMIT $2) RETURNING uid)
         SELECT count(*)::int AS erased FROM erased`,
  row: { erased: 'int4' },
});
