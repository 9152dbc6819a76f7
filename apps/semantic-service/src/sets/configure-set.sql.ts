import { sql } from '@loci/persistence';
import { SCHEMA } from '../database.js';

/** Parameters: the set, embedder, language model (null = stays as it is). No row when nothing changes. */
export const CONFIGURE_SET = sql({
  text: `UPDATE ${SCHEMA}.sets
         SET embedder_name = coalesce($2, embedder_name), llm_name = coalesce($3, llm_name)
         WHERE uid = $1 AND (embedder_name, llm_name) IS DISTINCT FROM
                            (coalesce($2::text, embedder_name), coalesce($3::text, llm_name))
         RETURNING uid`,
  row: { uid: 'uuid' },
});
