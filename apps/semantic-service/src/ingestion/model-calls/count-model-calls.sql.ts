import { sql } from '@loci/persistence';
import { type Scope } from '../../projects/project.js';
import { fromCalls, WANTED_CALLS } from './model-call-rows.js';

/** Parameters as of `fromCalls` and `WANTED_CALLS`. */
export const countModelCalls = (scope: Pick<Scope, 'organization'>) =>
  sql({
    text: `SELECT count(*)::int AS total ${fromCalls(scope)} ${WANTED_CALLS}`,
    row: { total: 'int4' },
  });
