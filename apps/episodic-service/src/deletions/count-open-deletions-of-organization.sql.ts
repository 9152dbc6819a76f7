import { sql } from '@loci/persistence';
import { countOpen } from './deletion-rows.js';

/** Of all projects of an organization, as `countOpen`. */
export const COUNT_OPEN_DELETIONS_OF_ORGANIZATION = sql({
  text: countOpen('organization'),
  row: { open: 'int4' },
});
