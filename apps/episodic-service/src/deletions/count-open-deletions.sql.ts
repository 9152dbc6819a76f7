import { sql } from '@loci/persistence';
import { countOpen } from './deletion-rows.js';

/** Of a project, as `countOpen`. */
export const COUNT_OPEN_DELETIONS = sql({ text: countOpen('project_uid'), row: { open: 'int4' } });
