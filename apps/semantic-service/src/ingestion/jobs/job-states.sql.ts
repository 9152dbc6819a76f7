import { sql } from '@loci/persistence';
import { SCHEMA } from '../../database.js';

/** How many jobs there are in each state. */
export const JOB_STATES = sql({
  text: `SELECT state, count(*)::int AS jobs FROM ${SCHEMA}.ingestion_jobs GROUP BY state`,
  row: { state: 'text', jobs: 'int4' },
});
