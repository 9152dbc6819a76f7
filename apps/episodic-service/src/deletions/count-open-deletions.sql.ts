import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { DELETION_LEASE } from './deletion-lease.js';

/** Those that a worker has still to do. Parameters: the project, how many are counted at most. */
export const COUNT_OPEN_DELETIONS = sql({
  text: `SELECT count(*)::int AS open FROM (
           SELECT FROM ${SCHEMA}.deletions
           WHERE project_uid = $1 AND state <> 'done' AND ${DELETION_LEASE.mayBegin} LIMIT $2) AS counted`,
  row: { open: 'int4' },
});
