import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameters: the category; uids, names and descriptions of its tags. */
export const ADD_TAGS = sql({
  text: `INSERT INTO ${SCHEMA}.category_tags (category_uid, uid, name, description)
         SELECT $1::uuid, uid, name, description FROM unnest($2::uuid[], $3::text[], $4::text[]) AS tag (uid, name, description)`,
});
