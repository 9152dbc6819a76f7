import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { DELETION_LEASE } from './deletion-lease.js';

/** Those of all projects of an organization that a worker has still to do. Parameters: its id, how many are counted at most. */
export const COUNT_OPEN_DELETIONS_OF_ORGANIZATION = sql({
  text: `SELECT count(*)::int AS open FROM (
           SELECT FROM ${SCHEMA}.deletions
           WHERE organization = $1 AND state <> 'done' AND ${DELETION_LEASE.mayBegin} LIMIT $2) AS counted`,
  row: { open: 'int4' },
});
