import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';
import { RESOURCE_COLUMNS, RESOURCE_ROW } from './resource-rows.js';

/** Ends the claims whose lease ran out, and counts them as unfinished. */
export const COUNT_UNFINISHED_PROBES = sql({
  text: `UPDATE ${SCHEMA}.resources
         SET unfinished_probes = unfinished_probes + 1, probe_token = NULL, probe_until = NULL
         WHERE probe_token IS NOT NULL AND probe_until < now() RETURNING ${RESOURCE_COLUMNS}`,
  row: RESOURCE_ROW,
});
