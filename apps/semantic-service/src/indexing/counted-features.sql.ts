import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Features whose words are counted: the newest. Parameters: the set, how many at most. */
export const COUNTED_FEATURES = sql({
  text: `SELECT category, tag, name, value FROM ${SCHEMA}.features WHERE set_uid = $1 AND deleted_at IS NULL
         ORDER BY created_at DESC, uid DESC LIMIT $2`,
  row: { category: 'text', tag: 'text', name: 'text', value: 'text' },
});
