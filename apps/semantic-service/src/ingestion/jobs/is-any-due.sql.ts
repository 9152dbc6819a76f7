import { sql } from '@loci/persistence';
import { JOBS } from './queues.js';

/**
 * Whether any set can be claimed. The sequence is that of the index: without it, the planner reads the table from its
 * beginning, and how many rows lie there before the first that is due it can't know.
 */
export const IS_ANY_DUE = sql({
  name: 'ingestion_is_any_due',
  text: `SELECT EXISTS (SELECT FROM (
    SELECT FROM ${JOBS} WHERE state = 'due' AND run_after <= now() ORDER BY ordered_at LIMIT 1) AS one) AS is_any`,
  row: { is_any: 'bool' },
});
