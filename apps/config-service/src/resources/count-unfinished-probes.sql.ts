import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { PROBE_LEASE } from './probe-lease.js';
import { RESOURCE_COLUMNS, RESOURCE_ROW } from './resource-rows.js';

/** Ends the claims whose lease ran out, and counts them as unfinished. */
export const COUNT_UNFINISHED_PROBES = sql({
  text: `UPDATE ${SCHEMA}.resources
         SET unfinished_probes = unfinished_probes + 1, ${PROBE_LEASE.released}
         WHERE ${PROBE_LEASE.hasRunOut} RETURNING ${RESOURCE_COLUMNS}`,
  row: RESOURCE_ROW,
});
