import { sql } from '@loci/persistence';
import { JOBS } from './queues.js';

/** Whether any set can be claimed. */
export const IS_ANY_DUE = sql({
  name: 'ingestion_is_any_due',
  text: `SELECT EXISTS (SELECT FROM ${JOBS} WHERE state = 'due' AND run_after <= now()) AS is_any`,
  row: { is_any: 'bool' },
});
