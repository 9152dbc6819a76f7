import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameters: the set, the names. A row for each that the set had until now. */
export const DISABLE_CATEGORIES = sql({
  text: `INSERT INTO ${SCHEMA}.disabled_categories (set_uid, name) SELECT $1::uuid, unnest($2::text[]) ON CONFLICT DO NOTHING
         RETURNING set_uid`,
  row: { set_uid: 'uuid' },
});
