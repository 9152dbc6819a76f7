import { sql } from '@loci/persistence';
import { type Scope } from '../../projects/project.js';
import { fromJobs } from './ingestion-jobs.js';

/** Parameters as of `fromJobs`. */
export const countJobs = (scope: Pick<Scope, 'organization'>) =>
  sql({ text: `SELECT count(*)::int AS total ${fromJobs(scope)}`, row: { total: 'int4' } });
