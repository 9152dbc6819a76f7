import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { PROBE_LEASE } from './probe-lease.js';
import { RESOURCE_COLUMNS, RESOURCE_ROW } from './resource-rows.js';

/** Ends the claims whose lease ran out: their probes are unfinished. */
export const END_UNFINISHED_PROBES = sql({
  text: `UPDATE ${SCHEMA}.resources
         SET ${PROBE_LEASE.released}
         WHERE ${PROBE_LEASE.hasRunOut} RETURNING ${RESOURCE_COLUMNS}`,
  row: RESOURCE_ROW,
});
