import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { PROBE_LEASE } from './probe-lease.js';
import { RESOURCE_COLUMNS, RESOURCE_ROW } from './resource-rows.js';

/**
 * What is due and has no probe under way, that with an unfinished probe first, and what never failed before what did: a new
 * model does not wait for those that do not answer. Parameter: how many at most.
 */
export const DUE_RESOURCES = sql({
  text: `SELECT ${RESOURCE_COLUMNS} FROM ${SCHEMA}.resources
         WHERE status <> 'ready' AND next_probe_at <= now() AND ${PROBE_LEASE.isFree}
         ORDER BY unfinished_probes = 0, failures > 0, next_probe_at LIMIT $1`,
  row: RESOURCE_ROW,
});
