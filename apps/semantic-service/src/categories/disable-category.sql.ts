import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameters: the set, the name. No row when the set does without it already. */
export const DISABLE_CATEGORY = sql({
  text: `INSERT INTO ${SCHEMA}.disabled_categories (set_uid, name) VALUES ($1, $2) ON CONFLICT DO NOTHING
         RETURNING set_uid`,
  row: { set_uid: 'uuid' },
});
